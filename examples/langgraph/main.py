"""A graph of LangGraph with a checkpointer and a store that recalld keeps: python main.py "Hello"."""

import os
import sys
import uuid

from langchain_openai import ChatOpenAI
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.store.base import BaseStore

from recalld.langgraph import RecalldSaver, RecalldStore

model = ChatOpenAI(model=os.environ.get("MODEL", "gpt-6-luna"))  # OPENAI_API_KEY
NOTES = ("notes",)


def remember(state: MessagesState, *, store: BaseStore) -> None:
    """Keeps what the user wants to have remembered, for all threads."""
    text = str(state["messages"][-1].content)
    if "remember that" in text:
        store.put(NOTES, str(uuid.uuid4()), {"text": text.partition("remember that ")[2]})


def answer(state: MessagesState, *, store: BaseStore) -> MessagesState:
    """Answers with the notes that bear on the question."""
    notes = store.search(NOTES, query=str(state["messages"][-1].content), limit=5)
    known = "\n".join(f"- {note.value['text']}" for note in notes)
    system = {"role": "system", "content": f"You are a travel agent. You know of the user:\n{known}"}
    return {"messages": [model.invoke([system, *state["messages"]])]}


builder = StateGraph(MessagesState)
builder.add_node(remember)
builder.add_node(answer)
builder.add_edge(START, "remember")
builder.add_edge("remember", "answer")
graph = builder.compile(checkpointer=RecalldSaver(), store=RecalldStore())  # RECALLD_URL and RECALLD_KEY

# Each run is a thread of its own: what it knows of the others comes from the store.
thread = {"configurable": {"thread_id": str(uuid.uuid4())}}
state = graph.invoke({"messages": [{"role": "user", "content": sys.argv[1]}]}, thread)
print(state["messages"][-1].content)
