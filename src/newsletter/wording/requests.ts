import { DOCUMENT, RULES } from './examples.ts'

/** Requests whose required properties alone say too little, as the reference and the OpenAPI document show them. */

const AUDIENCE = { include: [{ type: 'list', id: 1 }] }
const CONSENT = 'Yes, send me the weekly letter.'

export const NEWSLETTER_REQUESTS: Readonly<Record<string, Record<string, unknown>>> = {
  render: { editor_json: DOCUMENT, subject: 'Tides of the week' },
  'contacts/list': { status: 'subscribed', limit: 50 },
  'contacts/get': { contact_id: 7 },
  'contacts/upsert': { email: 'ada@example.com', first_name: 'Ada', list_ids: [1], consent_text: CONSENT },
  'contacts/update': { contact_id: 7, first_name: 'Ada' },
  'contacts/membership': { contact_id: 7, list_id: 1, action: 'subscribe', consent_text: CONSENT },
  'contacts/tags': { contact_id: 7, add: [3] },
  'contacts/bulk': { action: 'remove_tags', tag_ids: [1], filter: RULES },
  'custom-fields/create': { key: 'town', label: 'Town', type: 'text' },
  'custom-fields/update': { field_id: 2, label: 'Home town' },
  'lists/update': { list_id: 1, description: 'Every Friday.' },
  'tags/update': { tag_id: 3, color: '#336699' },
  'segments/create': { name: 'Readers by the sea', rules: RULES },
  'segments/update': { segment_id: 4, rules: RULES },
  'segments/materialize': { segment_id: 4, tag_name: 'Readers by the sea' },
  'settings/update': { company_name: 'Harbour Ltd', postal_address: '1 Quay Street, Porthaven' },
  'connections/create': {
    ...{ name: 'Relay', provider: 'smtp', host: 'relay.example.com', port: 587, secure: 'starttls' },
    ...{ username: 'harbour', password: 'a long password' },
  },
  'connections/update': { connection_id: 2, name: 'Main relay' },
  'templates/get': { template_id: 'builtin:welcome' },
  'templates/update': { template_id: 6, subject: 'Tides of the week' },
  'campaigns/create': { subject: 'Tides of the week', editor_json: DOCUMENT, audience_spec: AUDIENCE },
  'campaigns/update': { campaign_id: 5, subject: 'Tides of the week' },
  'campaigns/audience-count': { audience_spec: AUDIENCE },
  'imports/dry-run': {
    import_id: 9,
    mapping: { 0: 'email', 1: 'first_name' },
    options: { list_ids: [1], consent_confirmed: true, consent_text: CONSENT },
  },
}
