"""The routes of this floor."""

from django.urls import URLPattern, URLResolver, include, path

from memories import conflict_pages, memory_pages, space_pages, views
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
    path("", include("memories.api.end_users.urls")),
    path("v1/dev/readiness", company.ReadinessView.as_view()),
    path("memories", memory_pages.memories, name="memories"),
    path("memories/import", memory_pages.import_lines, name="memories-import"),
    path("memories/records/<str:record_id>", memory_pages.record, name="memory"),
    path("memories/records/<str:record_id>/supersede", memory_pages.supersede, name="memory-supersede"),
    path("memories/records/<str:record_id>/resolve", memory_pages.resolve, name="memory-resolve"),
    path("memories/records/<str:record_id>/delete", memory_pages.delete, name="memory-delete"),
    path("memories/spaces", space_pages.all_spaces, name="spaces"),
    path("memories/spaces/<str:space_id>", space_pages.space, name="space"),
    path("memories/spaces/<str:space_id>/change", space_pages.change, name="space-change"),
    path("memories/spaces/<str:space_id>/delete", space_pages.delete, name="space-delete"),
    path("memories/spaces/<str:space_id>/admit", space_pages.admit, name="space-admit"),
    path("memories/spaces/<str:space_id>/dismiss", space_pages.dismiss, name="space-dismiss"),
    path("conflicts", conflict_pages.conflicts, name="conflicts"),
    path("conflicts/<str:conflict_id>/resolve", conflict_pages.resolve, name="conflict-resolve"),
    path("sources", views.sources, name="sources"),
    path("sources/import", views.import_files, name="sources-import"),
    path("sources/documents/<str:document_id>/delete", views.delete_document, name="document-delete"),
]
