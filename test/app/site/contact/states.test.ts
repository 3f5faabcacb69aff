import { test } from 'bun:test'
import { GLOBAL_STATUSES, SUPPRESSION_REASONS } from '../../../../src/store/tables/audience.ts'
import { EVENT_TYPES } from '../../../../src/store/tables/delivery.ts'
import type { Consent } from '../../../../static/app/site/contact/history.ts'
// Makes the document that the imports below read.
import '../../../support/tab.ts'
import { CONSENT_TITLES } from '../../../../static/app/site/contact/consent-paper.tsx'
import { EVENTS } from '../../../../static/app/site/contact/event-labels.ts'
import { evidenceText, sourceWords } from '../../../../static/app/site/contact/evidence.ts'
import { standingOf } from '../../../../static/app/site/contact/standing.ts'
import { expectRecorded } from '../../../support/recorded.ts'

const AT = '2026-05-03T12:00:00.000Z'
const ACTIONS = Object.keys({
  given: 0,
  confirmed: 0,
  withdrawn: 0,
} satisfies Record<Consent['action'], 0>) as Consent['action'][]
const SOURCES = [
  ...['api', 'bulk', 'import', 'signup', 'signup (unverified text)', 'form', 'preferences', 'confirmation'],
  ...['unsubscribe_link', 'unsubscribe_mail', 'hard_bounce', 'complaint', 'unsubscribe', 'manual', 'shop'],
]

const standing = (global_status: string, reason: string | null) => {
  const contact = { global_status, consent_at: null, created_at: AT }
  const { state, sentence } = standingOf({ contact, suppression: reason && { reason, created_at: AT } } as never)
  return `${reason ?? global_status}: ${state}. ${sentence}`
}

function evidence(action: Consent['action']): string {
  const given = { action, at: AT, source: 'api', ip: null, user_agent: null, text: '', caller: null } as never
  const document = { kind: 'consent' as const, id: '1', at: AT, given, list_ids: [null], confirmed: null }
  const about = { project: 'Harbour', email: 'ada@example.com', list: () => 'Messages' }
  return evidenceText(document, about).split('\n')[4]!
}

test('What happened to a contact, where it stands and where a consent came from is told as recorded.', () => {
  const lines = [
    'Events: icon, tone, title with names, title without',
    ...EVENT_TYPES.map((type) => {
      const { icon, tone, title } = EVENTS[type]
      const titles = [title({ campaign: 'May', list: 'Weekly' }), title({ campaign: '', list: '' })]
      return `  ${type}: ${[icon, tone, ...titles].join(' | ')}`
    }),
    'Standing',
    ...GLOBAL_STATUSES.map((status) => `  ${standing(status, null)}`),
    ...SUPPRESSION_REASONS.map((reason) => `  ${standing('subscribed', reason)}`),
    'Consents',
    ...ACTIONS.map((action) => `  ${action}: ${CONSENT_TITLES[action]} | ${evidence(action)}`),
    'Sources',
    ...SOURCES.map((source) => `  ${source}: ${sourceWords(source)}`),
  ]
  expectRecorded('app/states-of-contacts.txt', lines.join('\n'))
})
