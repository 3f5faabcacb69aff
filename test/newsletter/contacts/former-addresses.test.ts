import { expect, test } from 'bun:test'
import { formerAddresses } from '../../../src/newsletter/contacts/former-addresses.ts'
import { recordEvents } from '../../../src/newsletter/tracking/events.ts'
import { newContact, newProject, NOW, write } from '../../support/shared-store.ts'

test('A former address was changed by its contact, and no contact of the project has it now.', async () => {
  const [project_id, other] = [await newProject(), await newProject()]
  const ada = await newContact(project_id, 'ada@example.com')
  const bo = await newContact(project_id, 'bo@example.com')
  const untouched = await newContact(project_id, 'cy@example.com')
  await newContact(project_id, 'taken@example.com')
  await newContact(other, 'elsewhere@example.com')
  const event = (contact_id: number, detail: string, type: 'address_changed' | 'suppressed' = 'address_changed') => ({
    ...{ project_id, type, contact_id, email: 'x@example.com', at: NOW, detail },
  })
  await write((tx) =>
    recordEvents(tx, [
      event(ada, 'First@Example.com'),
      event(ada, 'taken@example.com'),
      // It has this one again.
      event(ada, 'ada@example.com'),
      event(ada, 'elsewhere@example.com'),
      event(ada, 'First@Example.com'),
      event(ada, ''),
      event(ada, 'manual', 'suppressed'),
      event(bo, 'second@example.com'),
      event(untouched, 'third@example.com'),
    ]),
  )
  const found = async (...contact_ids: number[]) =>
    (await write((tx) => formerAddresses(tx, contact_ids)))
      .map((address) => [address.project_id, address.contact_id, address.email_key])
      .sort()
  expect(await found(ada, bo)).toEqual([
    [project_id, ada, 'elsewhere@example.com'],
    [project_id, ada, 'first@example.com'],
    [project_id, bo, 'second@example.com'],
  ])
  expect(await found()).toEqual([])
})
