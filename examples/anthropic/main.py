"""Claude with a memory tool whose files recalld keeps: python main.py "Hello"."""

import os
import sys

import anthropic

from recalld.anthropic import RecalldMemoryTool

claude = anthropic.Anthropic()  # ANTHROPIC_API_KEY
memory = RecalldMemoryTool()  # RECALLD_URL and RECALLD_KEY

# The runner calls the model, runs the commands that it gives to the tool, and goes on until it answers.
runner = claude.beta.messages.tool_runner(
    model=os.environ.get("MODEL", "claude-sonnet-5-5"),
    max_tokens=1000,
    system="You are a travel agent. Look into your memory before you answer.",
    messages=[{"role": "user", "content": sys.argv[1]}],
    tools=[memory],
)
for block in runner.until_done().content:
    if block.type == "text":
        print(block.text)
