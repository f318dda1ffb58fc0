"""Settings: when models are asked at all, and whose key goes where."""

from __future__ import annotations

import subprocess
import sys
from decimal import Decimal

import pytest
from pydantic import BaseModel, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from frasier.llm import LlmSettings, Tier


class _Product(BaseSettings):
    model_config = SettingsConfigDict(env_prefix="FRASIER_", env_nested_delimiter="__")
    llm: LlmSettings = LlmSettings()


def test_nothing_configured_means_rehearsal():
    settings = LlmSettings()
    assert settings.is_rehearsal
    assert {settings.endpoint(tier).model for tier in Tier} == {"rehearsal"}
    assert settings.endpoint(Tier.T1).api_key is None


@pytest.mark.parametrize(
    "given",
    [
        {"api_key": "k"},
        {"base_url": "http://127.0.0.1:8080/v1"},
        {"t3_api_key": "k"},
        {"t1_base_url": "http://localhost:1/v1"},
        {"provider": "openai"},
    ],
)
def test_a_key_or_an_address_means_models(given):
    assert not LlmSettings(**given).is_rehearsal


def test_blank_values_count_as_not_given():
    settings = LlmSettings(api_key=" ", base_url="", t1_base_url="")
    assert settings.is_rehearsal
    assert settings.base_url == "https://openrouter.ai/api/v1"


def test_rehearsal_can_be_chosen_in_spite_of_a_key():
    assert LlmSettings(provider="rehearsal", api_key="k").is_rehearsal


def test_a_tier_takes_the_common_place_and_key_unless_it_has_its_own():
    settings = LlmSettings(
        api_key="common", t1_base_url="http://127.0.0.1:8080/v1/", t1_model="local", t3_api_key="third"
    )
    assert settings.endpoint(Tier.T2).api_key.get_secret_value() == "common"
    assert settings.endpoint(Tier.T3).api_key.get_secret_value() == "third"
    assert settings.endpoint(Tier.T1).base_url == "http://127.0.0.1:8080/v1"
    assert settings.endpoint(Tier.T1).model == "local"


def test_the_common_key_is_never_sent_to_a_tiers_own_address():
    settings = LlmSettings(api_key="common", t1_base_url="https://elsewhere.example/v1")
    assert settings.endpoint(Tier.T1).api_key is None


def test_settings_are_read_from_the_environment(monkeypatch):
    monkeypatch.setenv("FRASIER_LLM__API_KEY", "sk-secret")
    monkeypatch.setenv("FRASIER_LLM__T1_MODEL", "vendor/small")
    monkeypatch.setenv("FRASIER_LLM__CAPS__DAY_USD", "7.25")
    monkeypatch.setenv("FRASIER_LLM__PRICES", '{"vendor/small": {"input": 0.1, "output": 0.4}}')
    settings = _Product().llm
    assert settings.endpoint(Tier.T1).model == "vendor/small"
    assert settings.caps.day_usd == Decimal("7.25")
    assert settings.prices["vendor/small"].output == Decimal("0.4")
    assert "sk-secret" not in repr(settings)


@pytest.mark.parametrize(
    "given",
    [
        {"base_url": "openrouter.ai/api/v1"},
        {"base_url": "ftp://host/v1"},
        {"base_url": "https://user:key@host/v1"},
        {"t2_context_tokens": 100},
        {"attempts": 0},
        {"caps": {"day_usd": -1}},
        {"caps": {"day_usd": "0.0000001"}},
        {"unknown": 1},
    ],
)
def test_a_wrong_setting_is_refused(given):
    with pytest.raises(ValidationError):
        LlmSettings(**given)


def test_settings_cannot_be_changed_afterwards():
    settings: BaseModel = LlmSettings()
    with pytest.raises(ValidationError):
        settings.timeout_s = 1


def test_importing_the_slice_imports_no_client():
    program = (
        "import sys, frasier.llm; "
        "sys.exit(any(m.split('.')[0] in {'openai', 'httpx2'} or 'rehearsal' in m for m in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
