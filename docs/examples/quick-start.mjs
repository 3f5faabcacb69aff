const MASTHEAD_KEY = 'svc_pk_…'

async function call(path, body) {
  const answer = await fetch(`https://masthead.example/general/api/v1/newsletter/${path}`, {
    method: 'POST',
    headers: {
      Authorization: MASTHEAD_KEY,
      'Content-Type': 'application/json',
      'Idempotency-Key': crypto.randomUUID(),
    },
    body: JSON.stringify(body),
  })
  const { data, error } = await answer.json()
  if (!answer.ok) throw new Error(error.message ?? error)
  return data
}

await call('contacts/upsert', {
  email: 'ada@example.com',
  first_name: 'Ada',
  consent_text: 'Added to try the API.',
})
await call('contacts/upsert', {
  email: 'ada@example.com',
  first_name: 'Augusta',
  consent_text: 'Added to try the API.',
})
const { contact } = await call('contacts/get', { email: 'ada@example.com' })
console.log(contact)
