import { type ColumnSketch, type Design, draft } from './design.ts'

const SAGE = '#cfe3d8'

export const welcome: Design = {
  id: 'builtin:welcome',
  name: 'Welcome',
  description: 'A warm first message with three first steps.',
  subject: 'Welcome, {{ contact.first_name | default: and hello }}',
  document: (site) =>
    draft(
      {
        background_color: '#f0f4f1',
        text_color: '#23302a',
        preheader: 'Three small things that make a good start. Ten minutes, at most.',
      },
      [
        [
          'heading',
          {
            text: 'Welcome, {{ contact.first_name | default: friend }}',
            level: 1,
            size: 44,
            align: 'center',
            section_color: SAGE,
          },
        ],
        [
          'text',
          {
            html:
              '<p style="font-size:18px;line-height:29px">We are glad you are here. {{ project.name }} is made ' +
              'by a handful of people who read every reply, so if anything is unclear, just answer this message.</p>',
            align: 'center',
            section_color: SAGE,
          },
        ],
        ['heading', { text: 'Three small things make a good start', level: 2 }],
        ...step(
          '1',
          'Tell us what you like',
          'Choose your subjects, and we write about those. You can change your mind whenever you want.',
          `<a href="{{ preferences_url }}">Choose subjects</a>`,
        ),
        ...step(
          '2',
          'Read what others began with',
          'Five pieces that people come back to: short ones first, the long one for a rainy day.',
          `<a href="${site}/start">Open the reading list</a>`,
        ),
        ...step(
          '3',
          'Say hello',
          'Reply with one line about yourself. It helps us write for somebody instead of everybody.',
          '',
        ),
        ['divider', {}],
        [
          'text',
          {
            html:
              '<p>We write every other Thursday, never more. The next letter is already being ' +
              'edited.</p><p>Warmly,<br><strong>Ines and the team</strong></p>',
          },
        ],
        ['button', { text: 'Have a look around', href: site }],
        ['footer', {}],
      ],
    ),
}

function step(number: string, title: string, text: string, link: string): Parameters<typeof draft>[1] {
  const mark: ColumnSketch = { share: 1, blocks: [['heading', { text: number, level: 2, size: 40, color: 'brand' }]] }
  const words: ColumnSketch = {
    share: 6,
    blocks: [
      [
        'text',
        { html: `<h3 style="margin:6px 0 4px">${title}</h3><p style="margin:0">${text}${link && `<br>${link}`}</p>` },
      ],
    ],
  }
  return [['columns', { stack: false }, mark, words]]
}
