"""The numbers of templates are those of the kit."""

from django.template import Context, Template


def test_filters_write_numbers():
    template = Template("{% load quantities %}{{ n|count }} {{ share|percent }} {{ n|size }}")
    assert template.render(Context({"n": 2048, "share": 0.5})) == "2,048 50\u202f% 2\u202fKiB"
