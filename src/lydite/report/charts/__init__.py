"""Charts as inline SVG: functions of plain data, readable without scripts, coloured by the classes of the page."""
