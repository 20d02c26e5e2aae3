"""The API as a person reads it, made from the OpenAPI document."""
