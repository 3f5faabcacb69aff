import { type Design, draft, eyebrow } from './design.ts'

export const announcement: Design = {
  id: 'builtin:announcement',
  name: 'Announcement',
  description: 'One piece of news in your own color, the reasons for it, and a button.',
  subject: 'The reading room opens on 3 June',
  document: (site) =>
    draft({ preheader: 'Forty seats, tall windows and no phones. You are invited to the first evening.' }, [
      ['text', { html: eyebrow('News from {{ project.name }}'), section_color: 'brand' }],
      ['heading', { text: 'The reading room opens on 3 June', level: 1, size: 44, section_color: 'brand' }],
      [
        'text',
        {
          html:
            '<p style="font-size:19px;line-height:30px">After a year of dust and drawings, the old sail loft is ' +
            'a place to read again: forty seats, tall windows, and not a single screen.</p>',
          section_color: 'brand',
        },
      ],
      ['button', { text: 'Save a seat', href: `${site}/reading-room`, section_color: 'brand' }],
      [
        'text',
        {
          html:
            '<p>Dear {{ contact.first_name | default: reader }},</p>' +
            '<p>when we asked what was missing in town, three out of four of you wrote the same ' +
            'thing: somewhere quiet to sit. So we asked the joiners, the electrician and the bank, ' +
            'in that order, and here we are.</p>',
        },
      ],
      ['heading', { text: 'What you will find', level: 2 }],
      [
        'text',
        {
          html:
            '<ul><li><strong>A desk by the window</strong>, or an armchair if you are early.</li>' +
            '<li><strong>Four thousand books</strong> on open shelves, to read here or to borrow.</li>' +
            '<li><strong>Tea until nine</strong> on weekdays, and a librarian who knows the way.</li></ul>' +
            '<p>The room is free for everyone. For the first evening we ask you to book, because ' +
            'the stairs are narrow.</p>',
        },
      ],
      ['button', { text: 'See the opening hours', href: `${site}/reading-room/hours` }],
      ['text', { html: '<p>See you on the third,<br><strong>all of us at {{ project.name }}</strong></p>' }],
      ['footer', { view_link: true }],
    ]),
}
