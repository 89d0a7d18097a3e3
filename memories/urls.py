"""The routes of this floor."""

from django.urls import URLPattern, URLResolver, path

from memories import views

urlpatterns: list[URLPattern | URLResolver] = [
    path("sources", views.sources, name="sources"),
    path("sources/import", views.import_files, name="sources-import"),
    path("sources/documents/<str:document_id>/delete", views.delete_document, name="document-delete"),
]
