"""Addresses about people."""

from django.urls import path

from console.people import pages

urlpatterns = [
    path("signin/", pages.signin, name="signin"),
    path("signin/<str:token>/", pages.signin_by_link, name="signin-link"),
    path("signout/", pages.signout, name="signout"),
    path("account/", pages.account, name="account"),
    path("account/tokens/", pages.make_token, name="make-token"),
    path("account/tokens/<int:token_id>/revoke/", pages.revoke_token, name="revoke-token"),
    path("language/", pages.language, name="language"),
    path("people/", pages.people, name="people"),
    path("people/<int:person_id>/<str:verb>/", pages.change_person, name="person-change"),
]
