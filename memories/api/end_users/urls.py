"""The routes about end users. A fixed word stands before the one that takes an id in its place."""

from django.urls import URLPattern, path, register_converter

from memories.api.end_users import adding, api_keys, conflicts, domains, memories, recall, tenant_settings, users
from memories.api.end_users.whole_ids import WholeId

register_converter(WholeId, "whole")

urlpatterns: list[URLPattern] = [
    path("v1/memories", memories.MemoriesView.as_view()),
    path("v1/memories/bulk", memories.BulkView.as_view()),
    path("v1/memories/retrieve", recall.RetrieveView.as_view()),
    path("v1/memories/retrieval-feedback", recall.FeedbackView.as_view()),
    path("v1/memories/add", adding.AddView.as_view()),
    path("v1/memories/jobs/<str:job_id>", adding.JobView.as_view()),
    path("v1/memories/clarifications/<str:clarification_id>/answer", conflicts.AnswerView.as_view()),
    path("v1/memories/edtech-profile", domains.EdtechProfileView.as_view()),
    path("v1/memories/<str:memory_id>", memories.MemoryView.as_view()),
    path("v1/memories/<str:memory_id>/history", memories.HistoryView.as_view()),
    path("v1/api-keys", api_keys.ApiKeysView.as_view()),
    path("v1/api-keys/<str:key_id>", api_keys.ApiKeyView.as_view()),
    path("v1/tenant/settings", tenant_settings.TenantSettingsView.as_view()),
    path("v1/tenant/test-webhook", tenant_settings.WebhookTestView.as_view()),
    path("v1/tenant/users", users.UsersView.as_view()),
    path("v1/tenant/users/<whole:external_user_id>/stats", users.StatsView.as_view()),
    path("v1/tenant/users/<whole:external_user_id>/export", users.ExportView.as_view()),
    path("v1/tenant/users/<whole:external_user_id>/block", users.BlockView.as_view()),
    path("v1/tenant/users/<whole:external_user_id>/unblock", users.UnblockView.as_view()),
    path("v1/tenant/users/<whole:external_user_id>", users.UserView.as_view()),
    path("v1/tenant/import", users.ImportView.as_view()),
    path("v1/tenant/conflicts", conflicts.ConflictsView.as_view()),
    path("v1/tenant/conflicts/<str:conflict_id>/resolve", conflicts.ResolveView.as_view()),
    path("v1/tenant/conflict-stats", conflicts.StatsView.as_view()),
    path("v1/tenant/domain-schema", domains.DomainSchemaView.as_view()),
    path("v1/tenant/support-type", domains.SupportTypeView.as_view()),
    path("v1/tenant/support-stats", domains.SupportStatsView.as_view()),
    path("v1/tenant/students", domains.StudentsView.as_view()),
    path("v1/tenant/customers", domains.CustomersView.as_view()),
]
