"""Make twenty invoices: gold, and what a model answered to two prompts.

    python examples/build_invoices.py            # after a change of this file
    python examples/build_invoices.py --check    # are the files up to date?

Standard library only, no chance involved: prompt A forgets, invents and wraps its JSON in words; prompt B rarely does.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

FOLDER = Path(__file__).parent / "invoices"
VENDORS = ("Velden Mills", "Ostrey Glass", "Copper Road Union", "Luth Timber", "Harrow & Vale")
GOODS = (
    ("lamp", "7.50"),
    ("rope", "3.20"),
    ("hinge", "0.95"),
    ("desk", "149.00"),
    ("kettle", "38.00"),
    ("valve", "12.40"),
)
COUNT = 20


def gold_record(number: int) -> dict[str, object]:
    """The invoice of that number."""
    items = []
    for at in range(1 + number % 4):
        name, price = GOODS[(number * 5 + at * 3) % len(GOODS)]
        items.append({"name": name, "qty": 1 + (number + at) % 5, "price": price})
    total = sum(round(float(str(item["price"])) * 100) * int(str(item["qty"])) for item in items)
    return {
        "number": f"INV-{100 + number}",
        "vendor": VENDORS[number % len(VENDORS)],
        "date": f"2025-{1 + number % 9:02d}-{3 + number:02d}",
        "total": f"{total // 100}.{total % 100:02d}",
        "paid": number % 3 == 0,
        "items": items,
    }


def text_of(record: dict[str, object]) -> str:
    """The text of an invoice."""
    items = record["items"]
    assert isinstance(items, list)
    lines = [f"{item['qty']} x {item['name']} at {item['price']}" for item in items]
    paid = "paid" if record["paid"] else "not paid"
    head = f"Invoice {record['number']} of {record['vendor']}, {record['date']}"
    return f"{head}. {'; '.join(lines)}. Total {record['total']}, {paid}."


def answer_a(number: int, record: dict[str, object]) -> str:
    """The answer to prompt A."""
    changed = json.loads(json.dumps(record))
    if number % 4 == 1:
        changed["vendor"] = "Atlantis Trading"
    if number % 3 == 2:
        changed["items"] = changed["items"][:-1]
    if number % 5 == 0:
        changed["total"] = changed["total"].rstrip("0").rstrip(".")
    if number % 6 == 3:
        changed["currency"] = "EUR"
    written = json.dumps(changed)
    if number % 7 == 6:
        return "I could not find an invoice."
    return f"Here is the invoice:\n```json\n{written}\n```" if number % 2 else written


def answer_b(number: int, record: dict[str, object]) -> str:
    """The answer to prompt B."""
    changed = json.loads(json.dumps(record))
    changed["items"].reverse()
    if number % 8 == 3:
        changed["items"][0]["qty"] = str(changed["items"][0]["qty"])
    if number % 10 == 7:
        del changed["vendor"]
    return json.dumps(changed)


def files() -> dict[str, str]:
    """The files by name."""
    records = [gold_record(number) for number in range(COUNT)]
    gold = [{"id": record["number"], "text": text_of(record), "record": record} for record in records]
    made = {"gold.jsonl": gold}
    for name, answer in (("prompt-a.jsonl", answer_a), ("prompt-b.jsonl", answer_b)):
        made[name] = [
            {"id": one["number"], "output": answer(number, one)} for number, one in enumerate(records)
        ]
    return {name: "".join(json.dumps(line) + "\n" for line in lines) for name, lines in made.items()}


def main() -> int:
    """Write the files, or compare them."""
    made = files()
    if "--check" in sys.argv:
        return int(any((FOLDER / name).read_text(encoding="utf-8") != text for name, text in made.items()))
    FOLDER.mkdir(exist_ok=True)
    for name, text in made.items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
