import { type Design, draft, SERIF, type Sketch, small } from './design.ts'

export const roundup: Design = {
  id: 'builtin:roundup',
  name: 'Weekly roundup',
  description: 'Five links worth a reader’s time, each with a sentence on why.',
  subject: 'Five good reads for the weekend',
  document: (site) =>
    draft(
      {
        background_color: '#faf6ee',
        text_color: '#2b2620',
        link_color: '#9a3b12',
        preheader: 'A map, a melody, two essays and a recipe that needs no oven.',
      },
      [
        ['text', { html: '<p style="margin:0"><strong>{{ project.name }}</strong> &middot; {{ date }}</p>' }],
        ['heading', { text: 'Five good reads for the weekend', level: 1, size: 38, font_family: SERIF }],
        [
          'text',
          {
            html:
              '<p>Hello {{ contact.first_name | default: there }}. It rained here all week, so we read more ' +
              'than usual. These five stayed with us.</p>',
          },
        ],
        ['divider', { color: '#9a3b12', thickness: 2 }],
        ...read(site, 1, {
          title: 'The map that was wrong on purpose',
          why:
            'Why every printed street map has one street that does not exist, and what happened to the ' +
            'people who live there.',
          about: 'Essay, 9 minutes',
        }),
        ...read(site, 2, {
          title: 'Listening to an empty concert hall',
          why: 'An acoustician claps once in twelve famous rooms. Wear headphones.',
          about: 'Sound, 4 minutes',
        }),
        ...read(site, 3, {
          title: 'The last typewriter repairman does not feel like the last',
          why: 'He has two apprentices and a waiting list until March.',
          about: 'Portrait, 12 minutes',
        }),
        ...read(site, 4, {
          title: 'Against the to-do list',
          why: 'A short, cheerful case for writing down what you have done instead.',
          about: 'Essay, 5 minutes',
        }),
        ...read(site, 5, {
          title: 'Cold noodles for hot days',
          why: 'Seven ingredients, one bowl, no oven. We made it twice.',
          about: 'Recipe, 20 minutes',
        }),
        ['divider', {}],
        [
          'text',
          {
            html:
              '<p>Read something we should know of? Reply with the link. The best one opens next week’s ' +
              'letter.</p>',
          },
        ],
        ['text', { html: small(`All earlier letters are in <a href="${site}/letters">the archive</a>.`) }],
        ['footer', { view_link: true }],
      ],
    ),
}

function read(
  site: string,
  number: number,
  { title, why, about }: Record<'title' | 'why' | 'about', string>,
): Sketch[] {
  return [
    [
      'text',
      {
        html:
          `<h2 style="font-size:20px;line-height:28px;margin:0 0 4px"><a href="${site}/reads/${number}">${title}` +
          `</a></h2>` +
          `<p style="margin:0 0 4px">${why}</p><p style="margin:0 0 8px;font-size:14px;line-height:20px;` +
          `color:#6b6257">${about}</p>`,
      },
    ],
  ]
}
