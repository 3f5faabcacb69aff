import { type Design, draft, type Sketch, small } from './design.ts'

export const survey: Design = {
  id: 'builtin:survey',
  name: 'Survey',
  description: 'One question that is answered with a number, and a second for those who have the time.',
  subject: 'How are we doing? One question',
  document: () =>
    draft(
      {
        background_color: '#eceff5',
        text_color: '#232838',
        preheader: 'One number answers it. It takes ten seconds, and we read every answer.',
      },
      [
        ['heading', { text: 'How likely are you to tell a friend about us?', level: 1, size: 34 }],
        [
          'text',
          {
            html:
              '<p>Hello {{ contact.first_name | default: there }}, one word is all we ask for. Answer this message ' +
              'with the number that fits best:</p>',
          },
        ],
        ...['Not likely', 'Perhaps', 'Very likely', 'I already have'].map((answer, at) => choice(at + 1, answer)),
        ['spacer', { height: 20 }],
        ['divider', {}],
        ['heading', { text: 'Two minutes to spare?', level: 2 }],
        [
          'text',
          {
            html:
              '<p>Then add a line: which piece did you like best this year, and what would you rather read? ' +
              'In return you see the results before anybody else.</p>',
          },
        ],
        [
          'text',
          {
            html: small('Your answers stay with us. We count them by hand, and delete them when the results are out.'),
          },
        ],
        ['footer', {}],
      ],
    ),
}

const choice = (number: number, answer: string): Sketch => [
  'text',
  {
    html:
      `<p style="margin:0;padding:13px 20px;border:1px solid #b9c0d0;border-radius:8px;font-weight:600">` +
      `${number} &middot; ${answer}</p>`,
  },
]
