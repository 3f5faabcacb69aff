import { type Design, draft, SERIF } from './design.ts'

export const digest: Design = {
  id: 'builtin:digest',
  name: 'Digest',
  description: 'Your newest posts under a masthead, filled in by themselves when the campaign is sent.',
  subject: 'New on {{ project.name }}',
  document: (site) =>
    draft(
      {
        background_color: '#f4f1ea',
        font_family: SERIF,
        text_color: '#24211c',
        preheader: 'What we have published since the last letter, in one place.',
      },
      [
        ['heading', { text: '{{ project.name }}', level: 1, size: 40, align: 'center' }],
        ['text', { html: '<p style="margin:0">{{ date }}</p>', align: 'center' }],
        ['divider', { color: '#24211c', thickness: 3 }],
        [
          'text',
          {
            html:
              '<p style="font-size:18px;line-height:29px">Good morning, {{ contact.first_name | default: reader ' +
              '}}. Here is what has appeared since we last wrote. Take what you like and leave ' +
              'the rest for the weekend.</p>',
          },
        ],
        ['spacer', { height: 8 }],
        ['cms_posts', { count: 4, layout: 'list', link: `${site}/posts/{slug}` }],
        ['divider', {}],
        [
          'text',
          {
            html: '<p>Older pieces have not gone anywhere: the archive goes back to our first year.</p>',
            align: 'center',
          },
        ],
        ['button', { text: 'Browse the archive', href: `${site}/posts`, align: 'center', background_color: '#24211c' }],
        [
          'social',
          {
            links: [
              { network: 'website', href: site },
              { network: 'rss', href: `${site}/feed.xml` },
            ],
          },
        ],
        [
          'footer',
          {
            text: 'You get this digest because you asked for it. Forward it to whoever would enjoy it.',
            view_link: true,
          },
        ],
      ],
    ),
}
