"""Domain schemas: which one an account has, and the profiles that it gathers: students, customers, their figures."""

import dataclasses
from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import scopes
from memories.api.end_users import envelope
from memories.api.end_users.envelope import EndUserView, instant
from memories.api.end_users.shapes import ERRORS, Pagination, Shape, Stamped
from memories.api.strict import Text, Texts, Whole
from memories.end_users.domains import registry
from memories.end_users.domains.edtech import Edtech
from memories.end_users.domains.profiles import browsing, setup, stats
from memories.end_users.domains.profiles.browsing import Page, Shown
from memories.end_users.domains.sayings import forgetting, support_types
from memories.end_users.domains.support import Support

_KINDS = f"One of {', '.join(support_types.ALL)}."


class DomainSchemaGiven(Shape):
    domain_schema = Text(allow_null=True, help_text="A domain's name, edtech or support; null for none.")


class DomainSchemaData(serializers.Serializer[Any]):
    domain_schema = serializers.ChoiceField([(name, name) for name in registry.names()], allow_null=True)


class DomainSchemaAnswer(Stamped):
    data = DomainSchemaData()  # type: ignore[assignment]


class SupportTypeGiven(Shape):
    mode = Text(required=False, help_text=f"One of {', '.join(setup.MODES)}.")
    support_type = Text(
        required=False,
        allow_null=True,
        help_text=f"{_KINDS} In the mode multi the one to begin with; it must be allowed.",
    )
    allowed = Texts(required=False, help_text="The kinds that the mode multi chooses among.")


class SupportTypeData(serializers.Serializer[Any]):
    mode = serializers.ChoiceField([(mode, mode) for mode in setup.MODES])
    support_type = serializers.ChoiceField([(kind, kind) for kind in support_types.ALL], allow_null=True)
    allowed = serializers.ListField(child=serializers.ChoiceField([(kind, kind) for kind in support_types.ALL]))


class SupportTypeAnswer(Stamped):
    data = SupportTypeData()  # type: ignore[assignment]


class ProfileQuery(Shape):
    external_user_id = Text(help_text="Whose profile: your own id of them.")


class StudentsQuery(Shape):
    cursor = Text(required=False)
    limit = Whole(required=False, help_text="1 to 50; 10 unless told otherwise.")


class CustomersQuery(StudentsQuery):
    external_user_id = Text(required=False, help_text="Only this customer.")


class LanguageProfile(serializers.Serializer[Any]):
    preferred = serializers.CharField(allow_null=True, help_text="In which explanations are wanted.")
    native = serializers.CharField(allow_null=True)
    medium = serializers.CharField(allow_null=True, help_text="In which lessons at school are given.")
    speaks = serializers.ListField(child=serializers.CharField())


class ForgettingStage(serializers.Serializer[Any]):
    stage = serializers.ChoiceField([(name, name) for _, name in forgetting.STAGES])
    days_since = serializers.IntegerField(help_text="Whole days since the topic was last told of.")
    review_due = serializers.BooleanField()


class EdtechProfile(serializers.Serializer[Any]):
    external_user_id = serializers.CharField()
    grade_level = serializers.CharField(allow_null=True)
    board_or_curriculum = serializers.CharField(allow_null=True)
    subjects = serializers.ListField(child=serializers.CharField())
    strong_topics = serializers.ListField(child=serializers.CharField())
    weak_topics = serializers.ListField(child=serializers.CharField())
    concept_gaps = serializers.ListField(child=serializers.CharField())
    explanation_style = serializers.CharField(allow_null=True)
    language_profile = LanguageProfile(allow_null=True)
    exam_name = serializers.CharField(allow_null=True)
    exam_date = serializers.CharField(
        allow_null=True, help_text="ISO 8601: a day, or a month where only that was told."
    )
    forgetting_stages = serializers.DictField(child=ForgettingStage(), help_text="By topic.")
    schema_version = serializers.IntegerField()
    last_extraction_at = serializers.DateTimeField(help_text="When the profile was gathered from the memories.")


class EdtechProfileAnswer(Stamped):
    data = EdtechProfile(allow_null=True)  # type: ignore[assignment]


class Student(serializers.Serializer[Any]):
    external_user_id = serializers.CharField()
    grade_level = serializers.CharField(allow_null=True)
    board_or_curriculum = serializers.CharField(allow_null=True)
    subjects = serializers.ListField(child=serializers.CharField())
    weak_topics = serializers.ListField(child=serializers.CharField())
    exam_name = serializers.CharField(allow_null=True)
    exam_date = serializers.CharField(allow_null=True)
    reviews_due = serializers.IntegerField(help_text="Topics that are due for review.")
    last_seen_at = serializers.DateTimeField()


class StudentsPage(Stamped):
    data = Student(many=True)  # type: ignore[assignment]
    pagination = Pagination()


class OpenIssue(serializers.Serializer[Any]):
    issue = serializers.CharField()
    reference = serializers.CharField(allow_null=True, help_text="The number of the order, ticket or booking.")
    since = serializers.DateField()


class PastIssue(serializers.Serializer[Any]):
    issue = serializers.CharField()
    reference = serializers.CharField(allow_null=True)
    since = serializers.DateField(allow_null=True)
    resolved_on = serializers.DateField()


class Customer(serializers.Serializer[Any]):
    external_user_id = serializers.CharField()
    plan = serializers.CharField(allow_null=True)
    product = serializers.CharField(allow_null=True)
    open_issues = OpenIssue(many=True)
    past_issues = PastIssue(many=True)
    tone = serializers.CharField(allow_null=True)
    channel = serializers.CharField(allow_null=True)
    support_type = serializers.ChoiceField([(kind, kind) for kind in support_types.ALL])
    last_seen_at = serializers.DateTimeField()


class CustomersPage(Stamped):
    data = Customer(many=True)  # type: ignore[assignment]
    pagination = Pagination()


class SupportStatsData(serializers.Serializer[Any]):
    customers = serializers.IntegerField()
    pending = serializers.IntegerField(help_text="Of these, whose profile is still to be gathered: not in the figures.")
    customers_with_open_issues = serializers.IntegerField()
    open_issues = serializers.IntegerField()
    past_issues = serializers.IntegerField()
    by_support_type = serializers.DictField(child=serializers.IntegerField())
    by_plan = serializers.DictField(child=serializers.IntegerField())
    by_channel = serializers.DictField(child=serializers.IntegerField())


class SupportStatsAnswer(Stamped):
    data = SupportStatsData()  # type: ignore[assignment]


class DomainSchemaView(EndUserView):
    @extend_schema(
        operation_id="show_domain_schema",
        summary="Show the account's domain",
        responses={200: DomainSchemaAnswer, **ERRORS},
    )
    def get(self, request: Request) -> Response:
        return envelope.done({"domain_schema": setup.domain_schema(self.caller)})

    @extend_schema(
        operation_id="set_domain_schema",
        summary="Choose the account's domain",
        request=DomainSchemaGiven,
        responses={200: DomainSchemaAnswer, **ERRORS},
        examples=[OpenApiExample("Tutoring", value={"domain_schema": "edtech"}, request_only=True)],
    )
    def patch(self, request: Request) -> Response:
        """From then on a block of the domain comes first in what is retrieved. Needs the permission admin."""
        self.caller.require_scope(scopes.ADMIN)
        name = setup.choose_domain(self.caller, name=self.body(DomainSchemaGiven)["domain_schema"])
        return envelope.done({"domain_schema": name})


class SupportTypeView(EndUserView):
    @extend_schema(
        operation_id="show_support_type",
        summary="Show the kinds of support",
        responses={200: SupportTypeAnswer, **ERRORS},
    )
    def get(self, request: Request) -> Response:
        return envelope.done(dataclasses.asdict(setup.support_choice(self.caller)))

    @extend_schema(
        operation_id="set_support_type",
        summary="Choose the kinds of support that the account gives",
        request=SupportTypeGiven,
        responses={200: SupportTypeAnswer, **ERRORS},
        examples=[
            OpenApiExample("One kind", value={"mode": "single", "support_type": "ecommerce"}, request_only=True),
            OpenApiExample("Several", value={"mode": "multi", "allowed": ["saas", "telecom"]}, request_only=True),
        ],
    )
    def patch(self, request: Request) -> Response:
        """What is not named stays. Needs the permission admin."""
        self.caller.require_scope(scopes.ADMIN)
        chosen = setup.choose_support(self.caller, changes=self.body(SupportTypeGiven))
        return envelope.done(dataclasses.asdict(chosen))


class EdtechProfileView(EndUserView):
    @extend_schema(
        operation_id="show_edtech_profile",
        summary="Show what is known of a student",
        parameters=[ProfileQuery],
        responses={200: EdtechProfileAnswer, **ERRORS},
    )
    def get(self, request: Request) -> Response:
        """null for somebody of whom nothing is known, and where the account's domain is not edtech."""
        self.caller.require_scope(scopes.READ)
        shown = browsing.profile(self.caller, domain=Edtech.name, **self.query(ProfileQuery))
        return envelope.done(None if shown is None else _whole(shown))


class StudentsView(EndUserView):
    @extend_schema(
        operation_id="list_students",
        summary="List the students with the gist of each",
        parameters=[StudentsQuery],
        responses={200: StudentsPage, **ERRORS},
    )
    def get(self, request: Request) -> Response:
        """The newest first. Empty where the account's domain is not edtech."""
        self.caller.require_scope(scopes.READ)
        return _page(browsing.listed(self.caller, domain=Edtech.name, **self.query(StudentsQuery)))


class CustomersView(EndUserView):
    @extend_schema(
        operation_id="list_customers",
        summary="List the customers with their profiles",
        parameters=[CustomersQuery],
        responses={200: CustomersPage, **ERRORS},
    )
    def get(self, request: Request) -> Response:
        """The newest first. Empty where the account's domain is not support."""
        self.caller.require_scope(scopes.READ)
        return _page(browsing.listed(self.caller, domain=Support.name, **self.query(CustomersQuery)))


class SupportStatsView(EndUserView):
    @extend_schema(
        operation_id="show_support_stats",
        summary="Show figures of the customers",
        responses={200: SupportStatsAnswer, **ERRORS},
    )
    def get(self, request: Request) -> Response:
        """All zero where the account's domain is not support."""
        return envelope.done(dataclasses.asdict(stats.support(self.caller)))


def _whole(shown: Shown) -> dict[str, Any]:
    return {
        "external_user_id": shown.external_user_id,
        **shown.fields,
        "schema_version": shown.schema_version,
        "last_extraction_at": instant(shown.gathered_at),
    }


def _page(page: Page) -> Response:
    told = [
        {"external_user_id": each.external_user_id, **each.fields, "last_seen_at": instant(each.last_seen_at)}
        for each in page.people
    ]
    return envelope.page(told, next_cursor=page.next_cursor, limit=page.limit, total=page.total)
