import { sql } from 'drizzle-orm'
import type { ProjectId } from '../../src/ids.ts'
import type { Store } from '../../src/store/open.ts'
import type { World } from './world.ts'

/** Ready-made parts of a campaign, for tests of sending and reporting. */

export const SAMPLE_DOCUMENT = {
  version: 1,
  settings: {},
  blocks: [
    { id: 'greeting', type: 'heading', props: { text: 'Hello {{ contact.first_name | default: reader }}', level: 1 } },
    {
      id: 'body',
      type: 'text',
      props: {
        html:
          '<p>The <a href="https://example.com/tide?x=1&amp;y=2">tide table</a> for {{ contact.full_name | ' +
          'default: you }}.</p>',
      },
    },
  ],
}

/**
 * Settings, a connection and a list; what a first campaign needs.
 * @param service a world, or what calls the operations of a service process
 */
export async function readyToSend(
  service: Pick<World, 'ok'>,
  connection: Record<string, unknown> = { name: 'Sandbox', provider: 'sandbox' },
): Promise<{ connection_id: number; list_id: number }> {
  const { connection: made } = await service.ok('connections/create', connection)
  if (connection.provider !== 'sandbox') await service.ok('connections/test', { connection_id: made.id })
  await service.ok('settings/update', {
    from_name: 'Harbour News',
    from_email: 'news@harbour.example',
    company_name: 'Harbour Ltd',
    postal_address: '1 Quay Street, Porthaven',
    default_connection_id: made.id,
  })
  const { list } = await service.ok('lists/create', { name: 'Tides' })
  return { connection_id: made.id, list_id: list.id }
}

/** Many subscribed contacts of a list, written straight into the store. */
export async function manyContacts(
  store: Store,
  project_id: ProjectId,
  list_id: number,
  count: number,
  now: number,
): Promise<void> {
  const numbers = JSON.stringify(Array.from({ length: count }, (_, index) => index))
  await store.write(async (tx) => {
    await tx.run(sql`
      INSERT INTO contacts (project_id, email, email_key, first_name, last_name, search_key, global_status,
        created_at, updated_at)
      SELECT ${project_id}, 'reader' || value || '@example.com', 'reader' || value || '@example.com', 'Reader', value,
        'reader' || value || '@example.com', 'subscribed', ${now}, ${now}
      FROM json_each(${numbers})`)
    await tx.run(sql`
      INSERT INTO memberships (contact_id, list_id, status, subscribed_at)
      SELECT id, ${list_id}, 'subscribed', ${now} FROM contacts WHERE project_id = ${project_id}`)
  })
}
