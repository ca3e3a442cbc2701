"""A chat that remembers, with a model and recalld: python main.py "Hello"."""

import os
import sys

from openai import OpenAI

from recalld import Recalld

memory = Recalld()  # RECALLD_URL and RECALLD_KEY
model = OpenAI()  # OPENAI_API_KEY
CHAT = "plain-python"


def reply_to(text: str) -> str:
    # The conversation is on disk before the model is asked. With `extract`, recalld looks for lasting facts in it.
    memory.conversations.append(CHAT, [{"role": "user", "content": text}], extract=True)

    # The instructions, what is remembered about the user, and the last messages, within a token budget.
    context = memory.conversations.context(CHAT, instructions="You are a travel agent.", first_message=True)
    messages = [{"role": "system", "content": context["system"]}]
    messages += [{"role": each["role"], "content": each["content"]} for each in context["messages"]]

    answer = model.chat.completions.create(model=os.environ.get("MODEL", "gpt-6-luna"), messages=messages)
    reply = answer.choices[0].message.content or ""
    memory.conversations.append(CHAT, [{"role": "assistant", "content": reply}])
    return reply


print(reply_to(sys.argv[1]))
