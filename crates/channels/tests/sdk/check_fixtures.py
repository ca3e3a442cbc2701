"""Shows that the platforms' own SDKs accept the requests that the tests are made of.

Needs `lark-oapi` and `slack-sdk`; `cargo xtask ci` installs them.
"""

import json
import pathlib

import lark_oapi as lark
from lark_oapi.core.model import RawRequest
from slack_sdk.signature import Clock, SignatureVerifier

fixtures = json.loads(pathlib.Path(__file__).with_name("fixtures.json").read_text())


class FixedClock(Clock):
    def now(self) -> float:
        return fixtures["at"]


def feishu(headers: dict, body: str) -> None:
    seen = []
    builder = lark.EventDispatcherHandler.builder(fixtures["encrypt_key"], fixtures["verification_token"])
    handler = builder.register_p2_im_message_receive_v1(seen.append).build()
    request = RawRequest()
    request.uri = "/channels/feishu"
    names = ["X-Lark-Request-Timestamp", "X-Lark-Request-Nonce", "X-Lark-Signature"]
    request.headers = {name: headers[name.lower()] for name in names}
    request.body = body.encode()
    response = handler.do(request)
    answer = json.loads(response.content)
    assert response.status_code == 200, answer
    assert seen or answer.get("challenge") == "abc", answer
    if seen:
        assert seen[0].event.message.chat_id == "oc_team"


def slack(headers: dict, body: str) -> None:
    verifier = SignatureVerifier(fixtures["signing_secret"], FixedClock())
    assert verifier.is_valid_request(body, headers)
    assert not verifier.is_valid_request(body + " ", headers)


checks = {"feishu": feishu, "slack": slack}
for request in fixtures["requests"]:
    checks[request["platform"]](dict(request["headers"]), request["body"])
print(f"{len(fixtures['requests'])} passed, 0 failed")
