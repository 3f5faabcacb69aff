import { type ColumnSketch, type Design, draft, eyebrow, small } from './design.ts'

const WINE = '#5d1a2c'
const ROSE = '#ffd9c7'
const SAND = '#fbf1e6'

export const sale: Design = {
  id: 'builtin:sale',
  name: 'Sale',
  description: 'An offer in large figures, its code, what it is for and until when.',
  subject: 'The autumn sale: a fifth off everything woollen',
  document: (site) =>
    draft(
      {
        background_color: '#f3e7da',
        text_color: '#33231f',
        link_color: '#8a2b3f',
        preheader: 'Until Sunday night, in the shop and online. The code is inside.',
      },
      [
        ['text', { html: eyebrow('The autumn sale'), align: 'center', section_color: WINE }],
        ['heading', { text: '20% off', level: 1, size: 76, align: 'center', color: ROSE, section_color: WINE }],
        [
          'text',
          {
            html: '<p style="font-size:20px;line-height:30px">everything woollen, until Sunday at midnight</p>',
            align: 'center',
            section_color: WINE,
          },
        ],
        [
          'button',
          {
            text: 'Shop the sale',
            href: `${site}/sale`,
            align: 'center',
            background_color: ROSE,
            text_color: WINE,
            section_color: WINE,
          },
        ],
        [
          'text',
          { html: '<p style="margin:0">Enter this code at the checkout</p>', align: 'center', section_color: SAND },
        ],
        [
          'heading',
          {
            text: 'WARMER20',
            level: 2,
            size: 32,
            align: 'center',
            font_family: 'Courier New, Courier, monospace',
            section_color: SAND,
          },
        ],
        ['heading', { text: 'Where to begin', level: 2 }],
        [
          'columns',
          {},
          column(site, 'jumpers', {
            title: 'Jumpers',
            text: 'Fisherman’s rib from undyed wool.',
            price: 'from 79',
          }),
          column(site, 'blankets', {
            title: 'Blankets',
            text: 'Woven in one piece, 140 by 200.',
            price: 'from 119',
          }),
          column(site, 'socks', {
            title: 'Socks',
            text: 'The pair that outlives its shoes.',
            price: 'from 14',
          }),
        ],
        ['divider', {}],
        [
          'text',
          {
            html: small(
              `The offer ends on Sunday, 23:59, and cannot be joined with others. Sale pieces can be returned ` +
                `within thirty days, like all the rest. <a href="${site}/sale/terms">The terms in full</a>`,
            ),
          },
        ],
        ['footer', {}],
      ],
    ),
}

function column(
  site: string,
  path: string,
  { title, text, price }: Record<'title' | 'text' | 'price', string>,
): ColumnSketch {
  const html =
    `<h3 style="margin:0 0 4px"><a href="${site}/sale/${path}">${title}</a></h3><p style="margin:0 0 4px">${text}` +
    `</p><p style="margin:0"><strong>${price}</strong></p>`
  return { blocks: [['text', { html }]] }
}
