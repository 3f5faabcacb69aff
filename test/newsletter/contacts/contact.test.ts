import { expect, test } from 'bun:test'
import { NO_TEXTS } from '../../../src/shared/contact-fields.ts'
import {
  type ContactRow,
  getContact,
  searchKey,
  searchText,
  tidy,
  toContact,
} from '../../../src/newsletter/contacts/contact.ts'
import { assignTags } from '../../../src/newsletter/contacts/contact-tags.ts'
import { newContact, newList, newProject, newTag, NOW, sharedStore, write } from '../../support/shared-store.ts'

const AT = '2026-01-15T09:00:00.000Z'

test('A text is stored trimmed and well-formed, and searched in lower case and composed.', () => {
  expect(tidy(' a\ud800b ')).toBe('a\ufffdb')
  expect(searchText(' CAFE\u0301 ')).toBe('café')
  expect(searchKey({ ...NO_TEXTS, email: 'Ada@example.com', first_name: 'ADA' })).toBe('ada@example.com ada')
})

test('A contact is shown with its full name, its times and its memberships.', () => {
  const row: ContactRow = {
    ...NO_TEXTS,
    ...{ id: 7, email: 'Ada@example.com', first_name: 'Ada', last_name: 'Lind', global_status: 'pending' },
    ...{ custom_fields: { age: 7 }, consent_text: 'Yes.', consent_source: 'api', consent_at: null, tag_ids: [3] },
    ...{ created_at: NOW, updated_at: NOW + 1 },
    memberships: [
      { list_id: 1, status: 'subscribed', subscribed_at: NOW, unsubscribed_at: null, confirmation_sent_at: NOW },
      { list_id: 2, status: 'unsubscribed', subscribed_at: null, unsubscribed_at: NOW, confirmation_sent_at: null },
    ],
  }
  expect(toContact(row)).toEqual({
    ...NO_TEXTS,
    ...{ id: 7, email: 'Ada@example.com', first_name: 'Ada', last_name: 'Lind', full_name: 'Ada Lind' },
    ...{ global_status: 'pending', custom_fields: { age: 7 }, tag_ids: [3] },
    ...{ consent_text: 'Yes.', consent_source: 'api', consent_at: null },
    ...{ created_at: AT, updated_at: '2026-01-15T09:00:00.001Z' },
    lists: [
      { list_id: 1, status: 'subscribed', subscribed_at: AT, unsubscribed_at: null },
      { list_id: 2, status: 'unsubscribed', subscribed_at: null, unsubscribed_at: AT },
    ],
  })
  const named = (first_name: string, last_name: string) => toContact({ ...row, first_name, last_name }).full_name
  expect([named('Ada', ''), named('', 'Lind'), named('', '')]).toEqual(['Ada', 'Lind', ''])
  expect(toContact({ ...row, consent_at: NOW }).consent_at).toBe(AT)
})

test('A contact is read with what the store has of it, in its own project only.', async () => {
  const [project, other] = [await newProject(), await newProject()]
  const [list, tag] = [await newList(project), await newTag(project)]
  const more = { ...NO_TEXTS, first_name: 'Ada', last_name: 'Lind', custom_fields: { age: 7 }, consent_source: 'api' }
  const id = await newContact(project, 'Ada@example.com', { ...more, consent_at: NOW }, { [list]: 'pending' })
  await write((tx) => assignTags(tx, [[id, tag]]))
  const { db } = await sharedStore()
  expect(await getContact(db, project, id)).toEqual({
    ...{ id, email: 'Ada@example.com', ...more, global_status: 'subscribed', consent_text: '', consent_at: NOW },
    ...{ created_at: NOW, updated_at: NOW, tag_ids: [tag] },
    memberships: [
      { list_id: list, status: 'pending', subscribed_at: null, unsubscribed_at: null, confirmation_sent_at: null },
    ],
  })
  await expect(getContact(db, other, id)).rejects.toMatchObject({
    ...{ code: 'NOT_FOUND', details: [{ path: '/contact_id' }] },
  })
})
