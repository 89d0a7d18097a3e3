"""Names the site that Django's admin is; apart from it, because the site needs models and apps load before these."""

from django.contrib.admin.apps import AdminConfig


class StaffAdminConfig(AdminConfig):
    default_site = "accounts.staff_site.StaffSite"
