"""New boards, and who works on a board: its members, and how far they go without the founder."""

from __future__ import annotations

from urllib.parse import quote

from frasier.board import (
    ApprovalMode,
    board_roles,
    enroll_member,
    get_board,
    list_members,
    make_board,
    remove_member,
    set_mode,
)
from frasier.interfaces.web.page import (
    ActionRequest,
    ActionResult,
    FormAction,
    Fragment,
    PageContent,
    PageRequest,
    PageRoute,
)
from frasier.kernel.errors import InvalidInput
from frasier.kernel.humanize import person
from frasier.workflow import FOUNDER

MODE_MEANINGS = {
    ApprovalMode.MANUAL: "every move that a process marks waits for you",
    ApprovalMode.SEMI: "nothing waits: who moves a task says what you answered",
    ApprovalMode.AUTO_APPROVAL: "only what completes a task waits for you",
    ApprovalMode.AUTONOMOUS: "nothing waits for you",
}
"""The meaning of each mode of a board: what waits for the founder."""

_ROLE = "role."


async def _read(request: PageRequest) -> PageContent:
    board = await request.services.in_transaction(get_board, request.params["board"])
    members = await request.services.in_transaction(list_members)
    values = {
        "board": board.name,
        "address": _address(board.name),
        "members": [
            one for one in members if one.removed_at is None and (not one.boards or board.name in one.boards)
        ],
        "roles": [(f"{_ROLE}{role}", role) for role in sorted(board_roles())],
        "mode": board.approval_mode,
        "mode_version": board.mode_version,
        "modes": MODE_MEANINGS,
        "sent": request.sent,
    }
    return PageContent(
        title=f"Members of {board.name}",
        fragments=(
            Fragment(id="member-list", template="members/list.html", values=values),
            Fragment(id="member-add", template="members/form.html", values=values),
            Fragment(id="board-mode", template="members/mode_form.html", values=values),
        ),
        values=values,
    )


async def _make(request: ActionRequest) -> ActionResult:
    """Make a board; its members come next."""
    made = await request.services.in_transaction(make_board, request.form.text("name"), actor=FOUNDER)
    return ActionResult(
        text=f"The board {made.name} was made. Add those who work on it, then create its first task.",
        go_to=f"{_address(made.name)}/members",
    )


async def _add(request: ActionRequest) -> ActionResult:
    """Add a member, or change what one may do; show the token of a new one."""
    form = request.form
    roles = [name.removeprefix(_ROLE) for name in form.fields() if name.startswith(_ROLE)]
    added = await request.services.in_transaction(
        enroll_member, form.text("name"), roles, [request.params["board"]], [], actor=FOUNDER
    )
    where = ", ".join(added.member.boards) or "every board"
    gone = f", and no longer as {', '.join(added.lost_roles)}" if added.lost_roles else ""
    text = f"{person(added.member.name)} acts as {', '.join(added.member.roles)} in {where}{gone}."
    if not added.token:
        return ActionResult(text=f"{text} It goes on with the token that it has.")
    return ActionResult(
        text=f"{text} This is its token, which is shown only now: give it to whoever runs"
        f" {person(added.member.name)}, as FRASIER_TOKEN.",
        secret=added.token,
    )


async def _remove(request: ActionRequest) -> ActionResult:
    """Remove a member from every board."""
    name = request.form.text("name")
    await request.services.in_transaction(remove_member, name, actor=FOUNDER)
    return ActionResult(
        text=f"{name} may not act on any board any more; what it holds is given back when its lease ends. Its token"
        " still opens its memory."
    )


async def _change_mode(request: ActionRequest) -> ActionResult:
    """Set the approval mode of a board, unless it was changed since the form was read."""
    mode, seen = request.form.text("mode"), request.form.text("seen")
    if mode not in set(ApprovalMode) or not seen.isdecimal():
        raise InvalidInput(f"There is no mode {mode[:40]!r}.", kept="It is unchanged.", hint="Choose one.")
    changed = await request.services.in_transaction(
        set_mode, request.params["board"], ApprovalMode(mode), seen=int(seen), actor=FOUNDER
    )
    meaning = MODE_MEANINGS[changed.approval_mode]
    return ActionResult(text=f"{changed.name} is in mode {changed.approval_mode}: {meaning}.")


def _address(board: str) -> str:
    return f"/boards/{quote(board)}"


PAGES = (
    PageRoute(path="/boards/{board}/members", section="Boards", template="members/page.html", read=_read),
)
ACTIONS = (
    FormAction(path="/boards", act=_make),
    FormAction(path="/boards/{board}/members", act=_add),
    FormAction(path="/boards/{board}/members/remove", act=_remove),
    FormAction(path="/boards/{board}/mode", act=_change_mode),
)
