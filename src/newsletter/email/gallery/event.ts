import { type Design, draft, eyebrow, type Sketch, small } from './design.ts'

const NIGHT = '#1d2145'
const PEACH = '#ffc49b'

export const event: Design = {
  id: 'builtin:event',
  name: 'Event',
  description: 'An invitation with the day in large letters, a programme and a button to reply.',
  subject: 'You are invited: Harbour Night, Saturday 12 June',
  document: (site) =>
    draft(
      {
        background_color: '#e9e8f2',
        text_color: '#25263b',
        link_color: '#3b3f8f',
        preheader: 'Music on two boats, food on the quay, and the lighthouse open until midnight.',
      },
      [
        ['text', { html: eyebrow('You are invited'), section_color: NIGHT }],
        ['heading', { text: 'Harbour Night', level: 1, size: 56, color: PEACH, section_color: NIGHT }],
        [
          'text',
          {
            html:
              '<p style="font-size:19px;line-height:30px">Music on two boats, food on the quay, and the ' +
              'lighthouse open until midnight.</p>',
            section_color: NIGHT,
          },
        ],
        [
          'columns',
          { section_color: NIGHT },
          { blocks: [['text', { html: fact('When', 'Saturday 12 June<br>6 pm to midnight') }]] },
          { blocks: [['text', { html: fact('Where', 'Old Quay 4<br>beside the fish hall') }]] },
          { blocks: [['text', { html: fact('Price', 'Free, with<br>a reserved place') }]] },
        ],
        [
          'button',
          {
            text: 'Reserve my place',
            href: `${site}/harbour-night`,
            background_color: PEACH,
            text_color: NIGHT,
            section_color: NIGHT,
          },
        ],
        ['heading', { text: 'The evening', level: 2 }],
        ...hour('18:00', 'Boats and bread', 'The kitchens open. Come hungry.'),
        ...hour('19:30', 'The Tidewater Trio', 'Songs from the pier, with a view of the stage from everywhere.'),
        ...hour('21:00', 'Lamps on the water', 'Children launch the paper boats. Bring yours, or fold one here.'),
        ...hour('22:00', 'Up the lighthouse', 'A hundred and twelve steps, in groups of ten, until midnight.'),
        ['divider', {}],
        [
          'text',
          {
            html:
              '<p><strong>Rain?</strong> Then we move under the roof of the fish hall. The last bus leaves from ' +
              'the quay at 00:20.</p>',
          },
        ],
        [
          'text',
          {
            html: small(
              `Places are limited to 300. <a href="${site}/harbour-night/questions">Questions and answers</a>`,
            ),
          },
        ],
        ['footer', {}],
      ],
    ),
}

const fact = (label: string, value: string): string =>
  `<p style="margin:0 0 2px;font-size:13px;line-height:18px;font-weight:700;letter-spacing:0.06em;` +
  `text-transform:uppercase;color:${PEACH}">${label}</p><p style="margin:0 0 12px;line-height:24px">${value}</p>`

function hour(time: string, title: string, text: string): Sketch[] {
  return [
    [
      'columns',
      { stack: false },
      { share: 2, blocks: [['text', { html: `<p style="margin:0"><strong>${time}</strong></p>` }]] },
      { share: 7, blocks: [['text', { html: `<p style="margin:0"><strong>${title}</strong><br>${text}</p>` }]] },
    ],
  ]
}
