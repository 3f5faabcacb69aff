// curl https://masthead.example/docs/masthead.ts -o masthead.ts
import { createClient } from './masthead.ts'

const MASTHEAD_KEY = 'svc_pk_…'
const client = createClient({ base_url: 'https://masthead.example', token: MASTHEAD_KEY })

await client.call('contacts/upsert', {
  email: 'ada@example.com',
  first_name: 'Ada',
  consent_text: 'Added to try the API.',
})
await client.call('contacts/upsert', {
  email: 'ada@example.com',
  first_name: 'Augusta',
  consent_text: 'Added to try the API.',
})
const { contact } = await client.call('contacts/get', { email: 'ada@example.com' })
console.log(contact)
