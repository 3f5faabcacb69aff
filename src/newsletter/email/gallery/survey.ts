import { type Design, draft, type Sketch, small } from './design.ts'

export const survey: Design = {
  id: 'builtin:survey',
  name: 'Survey',
  description: 'One question that is answered with a click, and a longer form for those who have the time.',
  subject: 'How are we doing? One question',
  document: (site) =>
    draft(
      {
        background_color: '#eceff5',
        text_color: '#232838',
        preheader: 'One click answers it. It takes ten seconds, and we read every answer.',
      },
      [
        ['heading', { text: 'How likely are you to tell a friend about us?', level: 1, size: 34 }],
        [
          'text',
          {
            html:
              '<p>Hello {{ contact.first_name | default: there }}, one click is all we ask for. Pick the answer ' +
              'that fits best:</p>',
          },
        ],
        ...['I already have', 'Very likely', 'Perhaps', 'Not likely'].map((answer, at) =>
          choice(answer, `${site}/survey?answer=${4 - at}`),
        ),
        ['spacer', { height: 20 }],
        ['divider', {}],
        ['heading', { text: 'Five minutes to spare?', level: 2 }],
        [
          'text',
          {
            html:
              '<p>The longer form has nine questions about what we send, how often, and what you would rather ' +
              'read. In return you see the results before anybody else.</p>',
          },
        ],
        ['button', { text: 'Open the full survey', href: `${site}/survey` }],
        [
          'text',
          {
            html: small(
              'Your answers stay with us, are kept for a year, and are never joined with your ' +
                'address unless you write it down yourself.',
            ),
          },
        ],
        ['footer', {}],
      ],
    ),
}

const choice = (answer: string, href: string): Sketch => [
  'text',
  {
    html:
      `<p style="margin:0"><a href="${href}" style="display:block;padding:13px 20px;` +
      `border:1px solid #b9c0d0;border-radius:8px;font-weight:600;text-decoration:none">${answer}</a></p>`,
  },
]
