import { type ColumnSketch, type Design, draft, eyebrow, SERIF } from './design.ts'

const MOSS = '#e8efe0'

export const report: Design = {
  id: 'builtin:report',
  name: 'Report to supporters',
  description: 'A month or a year in four figures, what they mean, and a thank-you.',
  subject: 'What you made possible this year',
  document: (site) =>
    draft(
      {
        background_color: '#f1f2ec',
        text_color: '#27301f',
        link_color: '#35612b',
        preheader: 'Four figures, the story behind one of them, and a sincere thank-you.',
      },
      [
        ['text', { html: eyebrow('Our year in figures') }],
        ['heading', { text: 'What you made possible', level: 1, size: 42, font_family: SERIF }],
        [
          'text',
          {
            html:
              '<p style="font-size:18px;line-height:29px">Dear {{ contact.first_name | default: friend }}, the ' +
              'river is clearer than it has been in thirty years. That is your doing as much as ' +
              'ours, so the figures belong to you.</p>',
          },
        ],
        [
          'columns',
          { section_color: MOSS, stack: false },
          figure('11,480', 'trees planted on both banks'),
          figure('3.2 km', 'of shore opened to the public'),
        ],
        [
          'columns',
          { section_color: MOSS, stack: false },
          figure('640', 'volunteers, a third of them under twenty'),
          figure('0', 'days on which the water was closed'),
        ],
        ['heading', { text: 'The story behind the zero', level: 2, font_family: SERIF }],
        [
          'text',
          {
            html:
              '<p>In each of the last nine summers, the bathing place had to close for at least a ' +
              'week. This year it did not. The new reed beds, dug by hand by four school classes ' +
              'in April, filter what runs off the fields above the mill.</p>' +
              '<blockquote><p>“We measured every Monday. In August I stopped believing the meter ' +
              'and jumped in.”<br>Jonas, 16, volunteer</p></blockquote>',
          },
        ],
        ['button', { text: 'Read the full report', href: `${site}/report`, background_color: '#35612b' }],
        [
          'text',
          {
            html:
              `<p>Thank you for every hour and every coin. If you would like to see it for yourself: <a ` +
              `href="${site}/walks">we walk the river</a> on the first Sunday of each month.</p>`,
          },
        ],
        ['footer', { view_link: true }],
      ],
    ),
}

const figure = (number: string, words: string): ColumnSketch => ({
  blocks: [
    [
      'text',
      {
        html:
          `<h2 style="margin:0 0 2px;font-family:${SERIF};font-size:36px;line-height:42px;color:#35612b">` +
          `${number}</h2><p style="margin:0 0 14px;line-height:24px">${words}</p>`,
      },
    ],
  ],
})
