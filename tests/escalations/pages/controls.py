"""What a browser would send of a form: its controls as the page has them, with the browser's own ways with text."""

from html.parser import HTMLParser


class Controls(HTMLParser):
    """Read the controls of the form with this id."""

    def __init__(self, form_id):
        super().__init__()
        self.form_id, self.inside = form_id, False
        self.sent, self.area, self.select = [], None, None

    def handle_starttag(self, tag, pairs):
        said = dict(pairs)
        if tag == "form":
            self.inside = said.get("id") == self.form_id
        elif not self.inside:
            return
        elif tag == "input" and (said.get("type") not in {"checkbox", "radio"} or "checked" in said):
            value = said.get("value", "").replace("\r", "").replace("\n", "")
            self.sent.append((said["name"], value))
        elif tag == "textarea":
            self.area = [said["name"], ""]
        elif tag == "select":
            self.select = [said["name"], None]
        elif tag == "option" and self.select is not None:
            self.option = [said.get("value"), "selected" in said, ""]

    def handle_data(self, data):
        if self.area is not None:
            self.area[1] += data
        elif self.select is not None:
            self.option[2] += data

    def handle_endtag(self, tag):
        if tag == "form":
            self.inside = False
        elif tag == "textarea" and self.area is not None:
            text = self.area[1].replace("\r\n", "\n").removeprefix("\n").replace("\n", "\r\n")
            self.sent.append((self.area[0], text))
            self.area = None
        elif tag == "option" and self.select is not None:
            value, chosen, text = self.option
            if chosen or self.select[1] is None:
                self.select[1] = text.strip() if value is None else value
        elif tag == "select" and self.select is not None:
            self.sent.append((self.select[0], self.select[1] or ""))
            self.select = None


def sent(html, form_id):
    """Give what the browser would send, as a dict of lists."""
    reader = Controls(form_id)
    reader.feed(html)
    found = {}
    for name, value in reader.sent:
        found.setdefault(name, []).append(value)
    return found
