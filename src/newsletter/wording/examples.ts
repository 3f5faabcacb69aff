/** Values that several examples of the OpenAPI document and the reference have. */

export const DAY = '2026-05-01T07:30:00.000Z'
export const RULES = { op: 'and', rules: [{ field: 'email_domain', operator: 'eq', value: 'example.com' }] }

export const DOCUMENT = {
  version: 1,
  settings: {},
  blocks: [
    { id: 'a', type: 'heading', props: { text: 'Hello {{ contact.first_name | default: reader }}', level: 1 } },
    { id: 'b', type: 'text', props: { html: '<p><a href="https://harbour.example/tides">All tides</a></p>' } },
  ],
}
