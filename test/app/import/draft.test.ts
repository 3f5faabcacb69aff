import { expect, test } from 'bun:test'
import { optionsOf } from '../../../static/app/import/draft.ts'

const options = { list_ids: [1], create_tags: true }
const chosen = (consent: 'shown' | 'ask' | 'contacts' | null) => optionsOf({ mapping: {}, options, consent })

test('How people agreed decides whether they are asked, and whether they join lists at all.', () => {
  expect(chosen('shown')).toEqual({ ...options, consent_confirmed: true, send_confirmation: false })
  expect(chosen('ask')).toEqual({ ...options, consent_confirmed: false, send_confirmation: true })
  expect(chosen('contacts')).toEqual({
    ...options,
    list_ids: [],
    consent_confirmed: false,
    send_confirmation: false,
  })
  expect(chosen(null)).toEqual({ ...options, consent_confirmed: false, send_confirmation: false })
})
