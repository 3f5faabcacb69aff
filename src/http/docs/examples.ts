import type { Schema, Schemas } from './schema-fields.ts'

/** Requests that the reference shows and the explorer begins with: what a schema requires, with values that fit. */

const DOCUMENT = {
  version: 1,
  settings: {},
  blocks: [
    { id: 'a', type: 'heading', props: { text: 'Hello {{ contact.first_name | default: reader }}', level: 1 } },
    { id: 'b', type: 'text', props: { html: '<p><a href="https://harbour.example/tides">All tides</a></p>' } },
  ],
}
const RULES = { op: 'and', rules: [{ field: 'email_domain', operator: 'eq', value: 'example.com' }] }

/** Calls whose required fields alone say too little. */
const BY_CALL: Readonly<Record<string, Record<string, unknown>>> = {
  render: { editor_json: DOCUMENT, subject: 'Tides of the week' },
  'contacts/list': { status: 'subscribed', limit: 50 },
  'contacts/get': { contact_id: 1 },
  'contacts/upsert': {
    email: 'ada@example.com',
    first_name: 'Ada',
    list_ids: [1],
    consent_text: 'Yes, send me the weekly letter.',
  },
  'contacts/update': { contact_id: 1, first_name: 'Ada' },
  'contacts/membership': {
    ...{ contact_id: 1, list_id: 1, action: 'subscribe' },
    consent_text: 'Yes, send me the weekly letter.',
  },
  'contacts/tags': { contact_id: 1, add: [1] },
  'contacts/bulk': { action: 'remove_tags', tag_ids: [1], filter: RULES },
  'custom-fields/update': { field_id: 1, label: 'Home town' },
  'lists/update': { list_id: 1, description: 'Every Friday.' },
  'tags/update': { tag_id: 1, color: '#336699' },
  'segments/update': { segment_id: 1, rules: RULES },
  'segments/materialize': { segment_id: 1, tag_name: 'Readers by the sea' },
  'settings/update': { company_name: 'Harbour Ltd', postal_address: '1 Quay Street, Porthaven' },
  'connections/create': {
    ...{ name: 'Relay', provider: 'smtp', host: 'relay.example.com', port: 587, secure: 'starttls' },
    ...{ username: 'harbour', password: 'a long password' },
  },
  'connections/update': { connection_id: 1, name: 'Main relay' },
  'templates/get': { template_id: 'builtin:welcome' },
  'templates/update': { template_id: 1, subject: 'Tides of the week' },
  'campaigns/create': {
    subject: 'Tides of the week',
    editor_json: DOCUMENT,
    audience_spec: { include: [{ type: 'list', id: 1 }] },
  },
  'campaigns/audience-count': { audience_spec: { include: [{ type: 'list', id: 1 }] } },
  'POST /user/review-requests/{id}/reject': { comment: 'The listing shows another app.' },
  'POST /user/review-requests/{id}/request-changes': { comment: 'Please say where people find help.' },
  'POST /user/developer/apps/{id}/suspend': { comment: 'It writes to people who left.' },
  'POST /project/form-entries/delete': { project_id: 'prj_…', entry_ids: [1] },
  'campaigns/update': { campaign_id: 1, subject: 'Tides of the week' },
}

/** Values of fields by their names. */
const BY_NAME: Readonly<Record<string, unknown>> = {
  email: 'ada@example.com',
  emails: ['you@example.com'],
  consent_text: 'Yes, send me the weekly letter.',
  name: 'Weekly',
  displayName: 'Tide Tables',
  title: 'The weekly letter',
  subject: 'Tides of the week',
  editor_json: DOCUMENT,
  audience_spec: { include: [{ type: 'list', id: 1 }] },
  rules: RULES,
  filter: RULES,
  csv: 'Email,First name\nada@example.com,Ada\n',
  filename: 'people.csv',
  mapping: { 0: 'email', 1: 'first_name' },
  scheduled_at: '2027-01-01T09:00:00+01:00',
  timezone: 'Europe/Berlin',
  key: 'town',
  label: 'Town',
  project_id: 'prj_…',
  path: '/tides',
  html: '<h1>Tides</h1>',
  domain: 'harbour.example',
  slug: 'harbour',
  url: 'https://harbour.example/',
  password: 'a long password',
}

/** Properties that the caller's key, or the page, fills in. */
const LEFT_OUT: ReadonlySet<string> = new Set(['project_id', 'idempotency_key'])

/** A body for a newsletter operation, without the project and the idempotency key. */
export function operationExample(name: string, schema: Schema, schemas: Schemas): Record<string, unknown> {
  const example = bodyExample(name, schema, schemas)
  return Object.fromEntries(Object.entries(example).filter(([field]) => !LEFT_OUT.has(field)))
}

/** A body for an operation or a route. */
export function bodyExample(name: string, schema: Schema, schemas: Schemas): Record<string, unknown> {
  return BY_CALL[name] ?? (exampleOf(schema, schemas) as Record<string, unknown>)
}

/** A value of the schema with what it requires. */
export function exampleOf(schema: Schema, schemas: Schemas, name = ''): unknown {
  if (name in BY_NAME) return BY_NAME[name]
  if (schema.$ref !== undefined) return exampleOf(schemas[schema.$ref.split('/').at(-1)!] ?? {}, schemas)
  if ('const' in schema) return schema.const
  if (schema.enum) return schema.enum[0]
  const variant = schema.anyOf?.find(({ type, $ref, const: only }) => type ?? $ref ?? only)
  if (variant) return exampleOf(variant, schemas, name)
  if (schema.items) return (schema.minItems ?? 0) > 0 || name.endsWith('_ids') ? [exampleOf(schema.items, schemas)] : []
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map((field) => [field, exampleOf(schema.properties?.[field] ?? {}, schemas, field)]),
      )
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return true
    default:
      return '…'
  }
}
