import { type Design, draft, eyebrow } from './design.ts'

const PANEL = '#f1f4f8'

export const productUpdate: Design = {
  id: 'builtin:product-update',
  name: 'Product update',
  description: 'What is new in a release: one large thing, two smaller ones, and a list of the rest.',
  subject: 'New in version 4.2: shared calendars',
  document: (site) =>
    draft(
      {
        background_color: '#e6ebf1',
        text_color: '#1e2733',
        preheader: 'Shared calendars, a faster search, and nineteen small repairs you asked for.',
      },
      [
        ['text', { html: eyebrow('Version 4.2') }],
        ['heading', { text: 'Plan together: shared calendars are here', level: 1, size: 38 }],
        [
          'text',
          {
            html:
              '<p style="font-size:18px;line-height:29px">Invite anyone to a calendar, decide who may change ' +
              'it, and see at a glance who is free. Nobody has to send a screenshot of their week again.</p>',
          },
        ],
        ['button', { text: 'Share your first calendar', href: `${site}/calendars` }],
        ['spacer', { height: 8 }],
        [
          'columns',
          {},
          {
            blocks: [
              ['heading', { text: 'Search that keeps up', level: 2, size: 18, section_color: PANEL }],
              [
                'text',
                {
                  html:
                    '<p style="margin:0">Results appear while you type, in notes and attachments alike, even ' +
                    'with ten years of them.</p>',
                  section_color: PANEL,
                },
              ],
            ],
          },
          {
            blocks: [
              ['heading', { text: 'Undo, everywhere', level: 2, size: 18, section_color: PANEL }],
              [
                'text',
                {
                  html:
                    '<p style="margin:0">Deleted the wrong thing? Press Z. It works for thirty days, and for ' +
                    'everyone in the team.</p>',
                  section_color: PANEL,
                },
              ],
            ],
          },
        ],
        ['spacer', { height: 12 }],
        ['heading', { text: 'Also in this release', level: 2 }],
        [
          'text',
          {
            html:
              '<ul><li>Reminders can repeat on the last weekday of a month.</li><li>The dark ' +
              'theme follows the time of day, if you let it.</li>' +
              '<li>Exports open in every spreadsheet we could find.</li><li>Nineteen repairs, ' +
              'most of them reported by you. Thank you.</li></ul>' +
              `<p><a href="${site}/changelog">Read the whole list of changes</a></p>`,
          },
        ],
        ['divider', {}],
        [
          'text',
          {
            html:
              '<p>The update reaches you by itself this week. Something not right? Reply to this message: it ' +
              'goes to the people who wrote the code.</p>',
          },
        ],
        ['footer', { view_link: true }],
      ],
    ),
}
