"""An agent of the OpenAI Agents SDK with a session that recalld keeps: python main.py "Hello"."""

import asyncio
import os
import sys

from agents import Agent, Runner

from recalld import Recalld
from recalld.openai_agents import RecalldSession

memory = Recalld()  # RECALLD_URL and RECALLD_KEY


async def main(text: str) -> None:
    # What is remembered about the user, from other conversations too, within a token budget.
    known = memory.context(text, max_tokens=500)["text"]
    agent = Agent(
        name="Travel agent",
        instructions=f"You are a travel agent.\n\n{known}",
        model=os.environ.get("MODEL", "gpt-6-luna"),
    )
    session = RecalldSession("openai-agents", memory, extract=True)
    result = await Runner.run(agent, text, session=session)
    print(result.final_output)


asyncio.run(main(sys.argv[1]))
