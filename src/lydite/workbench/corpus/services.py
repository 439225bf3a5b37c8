"""The only door of this app to the library."""
