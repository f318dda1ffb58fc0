"""A published deliverable with a table, lists, a link and one invented statement, which a scripted model wrote."""

from __future__ import annotations

from pathlib import Path

from frasier.llm import LlmSettings
from frasier.org.missions import MissionStatus
from support.model_responder import CompetentModel, Prompt, plan_of
from support.model_server import ModelServer, ScriptedAnswer
from support.organisation import carry_out, organisation, write_documents

TEXT = """\
# Hot drinks

## Water

| Drink | Water | Time |
|---|--:|:-:|
| Green tea | 75 degrees [3] | two minutes |
| Filter coffee | 94 degrees [2] | four minutes |

Filter coffee is brewed with water of 94 degrees for four minutes. [2]
Filter coffee is brewed with water of 61 degrees for nine hours. [2]

## Storage

- Tea leaves are kept in a closed tin away from light. [3]
  1. Green tea keeps its taste for about one year. [3]
- Roasted beans are kept in a bag with a valve. [2]

### Cocoa

> The sources do not say how cocoa is brewed. <script>document.title = "run"</script>

```python
brew("tea[1]")
```

## Money

See [prices](https://example.org/prices) and ![x](http://127.0.0.1:9/pixel.png).
"""


async def publish_hot_drinks(database_url: str, tmp_path: Path) -> Path:
    """Carry out the mission and return the folder of its deliverable."""

    def write(_prompt: Prompt) -> ScriptedAnswer:
        return ScriptedAnswer(content=TEXT)

    model = CompetentModel(plan=lambda _: ScriptedAnswer.json(plan_of(1)), synthesize=write, revise=write)
    with ModelServer(model) as server:
        llm = LlmSettings(base_url=server.base_url, t1_model="m1", t2_model="m2", t3_model="m3")
        async with organisation(database_url, tmp_path / "home", llm=llm) as services:
            progress = await carry_out(services, write_documents(tmp_path / "drinks"))
    assert progress.status is MissionStatus.DELIVERED, progress.failure
    return Path(progress.path or "")
