"""What the Developer API tells of usage and of connecting, in the names of the contract."""

from dataclasses import asdict
from typing import Any

from rest_framework import serializers

from mcp_gateway.usage import Figures, Usage


class RangeSerializer(serializers.Serializer[Any]):
    days = serializers.IntegerField()
    since = serializers.DateField()
    until = serializers.DateField()
    timezone = serializers.CharField()


class FiguresSerializer(serializers.Serializer[Any]):
    calls = serializers.IntegerField()
    successes = serializers.IntegerField()
    errors = serializers.IntegerField()  # type: ignore[assignment]
    counted = serializers.IntegerField(help_text="Calls that used one of the month's retrievals.")
    success_rate = serializers.FloatField(allow_null=True, help_text="Per cent; null without calls.")
    p50_ms = serializers.IntegerField(allow_null=True)
    p95_ms = serializers.IntegerField(allow_null=True)
    tokens = serializers.IntegerField()


class DaySerializer(FiguresSerializer):
    date = serializers.DateField()


class HourSerializer(serializers.Serializer[Any]):
    weekday = serializers.IntegerField(help_text="0 is Monday.")
    hour = serializers.IntegerField()
    calls = serializers.IntegerField()


class OutcomeSerializer(serializers.Serializer[Any]):
    status = serializers.CharField(help_text="ok, or the code of the error.")
    calls = serializers.IntegerField()


class UsageSerializer(serializers.Serializer[Any]):
    range = RangeSerializer()
    summary = FiguresSerializer()
    daily = DaySerializer(many=True, help_text="Every day of the range, also those without calls.")
    hourly_heatmap = HourSerializer(many=True, help_text="All 168 hours of a week.")
    status_breakdown = OutcomeSerializer(many=True)


def structured(found: Usage) -> dict[str, Any]:
    return {
        "range": {
            "days": len(found.days),
            "since": found.first.isoformat(),
            "until": found.last.isoformat(),
            "timezone": found.zone,
        },
        "summary": _figures(found.total),
        "daily": [{"date": day.isoformat(), **_figures(figures)} for day, figures in found.days],
        "hourly_heatmap": [
            {"weekday": weekday, "hour": hour, "calls": calls}
            for weekday, row in enumerate(found.hours)
            for hour, calls in enumerate(row)
        ],
        "status_breakdown": [{"status": outcome, "calls": calls} for outcome, calls in found.outcomes],
    }


def _figures(figures: Figures) -> dict[str, Any]:
    return {**asdict(figures), "errors": figures.errors, "success_rate": figures.success_rate}


class SnippetSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    name = serializers.CharField()
    where = serializers.CharField()
    text = serializers.CharField()


class ConfigSerializer(serializers.Serializer[Any]):
    mcp_url = serializers.CharField()
    knowledge_url = serializers.CharField()
    server_name = serializers.CharField()
    key_prefix = serializers.CharField(allow_null=True, help_text="Of the newest active key; null where there is none.")
    mcp_verified = serializers.BooleanField(help_text="Whether a client has got an answer yet.")
    snippets = SnippetSerializer(many=True)
    hello_world_prompt = serializers.CharField()
    readiness = serializers.DictField()
    quota = serializers.DictField()
    oauth = serializers.DictField(child=serializers.CharField(), help_text="Every address of the OAuth provider.")
