'use client';

import { useChat } from '@ai-sdk/react';
import { useState } from 'react';

export default function Page() {
  const { messages, sendMessage } = useChat(); // posts to /api/chat
  const [text, setText] = useState('');
  return (
    <main>
      {messages.map(({ id, role, parts }) => (
        <p key={id}>
          <b>{role}</b> {parts.map((part) => (part.type === 'text' ? part.text : ''))}
        </p>
      ))}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          sendMessage({ text });
          setText('');
        }}
      >
        <input value={text} onChange={(event) => setText(event.target.value)} placeholder="Say something" />
      </form>
    </main>
  );
}
