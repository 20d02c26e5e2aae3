"""People who come into a console by its door, for tests."""


async def enter(visit, house, name, *roles, **options):
    """Give the page of somebody who has just signed in, an operator where no roles are named; options as of `visit`."""
    page = await visit(house.sign_in_link(name, *(roles or ("operator",))), **options)
    await page.get_by_role("button", name="Sign in").click()
    await page.wait_for_url(f"{house.url}/")
    return page
