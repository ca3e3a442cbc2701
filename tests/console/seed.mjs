// A user with something on every page.

const STATEMENTS = [
  ['Prefers window seats on long flights', 'seat', 'preference'],
  ['Lives in Lisbon, near Príncipe Real', 'home', 'personal_context'],
  ['Flies TAP when she can', null, 'preference'],
  ['Allergic to peanuts', 'allergy', 'health'],
  ['Works as a structural engineer at a bridge company', 'job', 'work'],
  ['Is learning Japanese, about an hour every morning', null, 'personal_context'],
  ['Her daughter Inês starts school in September', 'daughter', 'family'],
  ['Drinks espresso, never after four in the afternoon', null, 'preference'],
  ['Prefers short answers with the conclusion first', 'style', 'preference'],
  ['Has a standing desk and a bad left knee', null, 'health'],
];

export async function seed(server, user) {
  const own = server.api(server.admin, user);
  for (const [content, key, category] of STATEMENTS) {
    await own.post('v1/memories', { content, category, ...(key ? { key } : {}), source: 'onboarding' });
  }
  await own.patch('v1/memories/key:seat', { content: 'Prefers aisle seats on long flights' });
  await own.patch('v1/memories/key:seat', { content: 'Prefers window seats on long flights, aisle on short ones' });
  await own.post('v1/memories', { content: 'Might be vegetarian', category: 'preference', confidence: 0.5, tier: 'daily' });
  await own.post('v1/memories', { content: 'Enjoys window seats on flights that are long', category: 'preference', confidence: 0.6 });
  const thread = `trip-${user}`;
  await own.post('v1/conversations', { id: thread, title: 'Trip to Porto' });
  await own.post(`v1/conversations/${thread}/messages`, { messages: [
    { id: `${user}-m1`, role: 'user', content: 'Book me a train to Porto on Friday. I like to sit in the quiet coach.' },
    { id: `${user}-m2`, role: 'assistant', content: 'I found the 09:39 from Oriente. Shall I book a window seat in the quiet coach?' },
    { id: `${user}-m3`, role: 'user', content: 'Yes please.' },
  ] });
  const said = { 'Recalld-Conversation': thread, 'Recalld-Message': `${user}-m1` };
  await own.post('v1/memories', { content: 'Likes the quiet coach on trains', category: 'preference' }, said);
  await own.post('v1/tools/store_memory', { content: 'Probably travels to Porto for work' }, said);
  await own.put(`v1/conversations/${thread}/working-memory`, { goal: 'book a train', step: 2, options: ['09:39', '11:09'], quiet: true });
  await own.put('v1/working-memory', { timezone: 'Europe/Lisbon' });
  await own.post('v1/entities', { id: 'p1', kind: 'place', name: 'Time Out Market', notes: 'Lunch on Fridays' });
  await server.api(server.admin).post('v1/knowledge', { source: 'handbook/travel.md', content: '# Travel\n\nBook trains two weeks ahead.\n\n## Seats\n\nQuiet coaches are at the front.' });
  await own.post('v1/search', { query: 'where does she like to sit' });
  return { thread };
}
