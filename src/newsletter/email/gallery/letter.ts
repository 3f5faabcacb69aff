import { type Design, draft, SERIF } from './design.ts'

export const letter: Design = {
  id: 'builtin:letter',
  name: 'Plain letter',
  description: 'Words on white paper, from one person to another.',
  subject: 'A note on the winter, and what comes after',
  document: () =>
    draft(
      {
        background_color: '#ffffff',
        text_color: '#26231f',
        content_width: 580,
        font_family: SERIF,
        preheader: 'What we learned in the quiet months, and one question for you.',
      },
      [
        [
          'text',
          {
            html:
              '<p>{{ date }}</p><p>Dear {{ contact.first_name | default: friend }},</p>' +
              '<p>every year around this time the workshop goes quiet. The orders are out, the ' +
              'kiln is cold, and for two weeks nobody needs anything from us. I used to fear that ' +
              'silence. This winter I tried to listen to it.</p>' +
              '<p>What I heard, mostly, was that we had been making too many things. Fourteen ' +
              'kinds of bowl is not generosity; it is a failure to decide. So in spring there ' +
              'will be five, and they will be the best we know how to make.</p>' +
              '<p>I have written down how we chose them, with pictures of the ones that did not make it. Ask me, and ' +
              'I send it to you: a longer read, for a slow evening.</p>' +
              '<p>And one question, if you have a minute: which of our pieces do you use so often ' +
              'that you would miss it? Just reply. I answer every letter, though not always on the same day.</p>' +
              '<p>Yours,</p><p style="font-size:24px;line-height:32px;margin:0"><em>Marta Lindqvist</em></p>',
          },
        ],
        ['spacer', { height: 8 }],
        [
          'text',
          {
            html:
              '<p><em>P.S. The studio is open again on Saturdays from the first of March. There will be ' +
              'cake.</em></p>',
          },
        ],
        ['footer', { align: 'start' }],
      ],
    ),
}
