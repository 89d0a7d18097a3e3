"""The routes of this floor."""

from django.urls import URLPattern, URLResolver, path

from memories import views
from memories.api import company, knowledge

urlpatterns: list[URLPattern | URLResolver] = [
    path("v1/memory/documents", company.DocumentsView.as_view()),
    path("v1/memory/documents/<str:document_id>", company.DocumentView.as_view()),
    path("v1/memory/ingest", company.IngestView.as_view()),
    path("v1/decisions/summaries", knowledge.SummariesView.as_view()),
    path("v1/decisions/records", knowledge.RecordsView.as_view()),
    path("v1/decisions/records/search", knowledge.RecordSearchView.as_view()),
    path("v1/decisions/records/<str:record_id>", knowledge.RecordView.as_view()),
    path("v1/decisions/brief", knowledge.BriefView.as_view()),
    path("v1/decisions/spaces", knowledge.SpacesView.as_view()),
    path("v1/decisions/spaces/<str:space_id>", knowledge.SpaceView.as_view()),
    path("v1/decisions/spaces/<str:space_id>/members/<str:email>", knowledge.SpaceMemberView.as_view()),
    path("v1/decisions/export", knowledge.ExportView.as_view()),
    path("v1/decisions/import", knowledge.ImportView.as_view()),
    path("v1/dev/readiness", company.ReadinessView.as_view()),
    path("sources", views.sources, name="sources"),
    path("sources/import", views.import_files, name="sources-import"),
    path("sources/documents/<str:document_id>/delete", views.delete_document, name="document-delete"),
]
