import { readableOn } from '../../shared/contrast.ts'
import { type Look, SYSTEM_FONT } from './look.ts'
import { escapeHtml } from './markup.ts'
import { compileTemplate, type CompileHooks, joinTemplates, type Template } from './template.ts'

interface Pieces {
  subject: string
  preheader: string
  /** The `<tr>` rows of the column. */
  rows: Template
  /** The `<td>` below the column. */
  footer: Template | null
  showLogo: boolean
}

/**
 * The HTML document around the blocks: one centered column, with a conditional table that sets its width in Outlook.
 */
export function layout(look: Look, pieces: Pieces, hooks: CompileHooks): Template {
  const inHtml = (text: string) => compileTemplate(escapeHtml(text), 'html', hooks)
  return joinTemplates([
    `<!DOCTYPE html>\n<html lang="${look.lang}" dir="${look.dir}" ` +
      `xmlns:o="urn:schemas-microsoft-com:office:office">\n<head>\n${META}<title>`,
    inHtml(pieces.subject),
    `</title>\n${outlookHead(look)}<style>\n${styleSheet(look)}</style>\n<style>\n${darkRules(look)}</style>\n` +
      `${importedRules(look)}</head>\n`,
    `<body class="m-page" style="margin:0;padding:0;width:100%;background-color:${look.page};` +
      `-webkit-text-size-adjust:100%;-ms-text-size-adjust:100%">\n`,
    // Mail programs remove html and body, so the first element repeats language and direction.
    `<div class="m-page" role="article" aria-roledescription="email" lang="${look.lang}" dir="${look.dir}" ` +
      `style="background-color:${look.page}">\n`,
    ...(pieces.preheader.trim() ? [PREHEADER_START, inHtml(pieces.preheader.trim()), PREHEADER_END] : []),
    `<table ${TABLE} width="100%" class="m-page" bgcolor="${look.page}" style="background-color:${look.page}"><tr>` +
      `<td class="m-frame" align="center" style="padding:32px 12px">\n` +
      `<!--[if mso]><table ${TABLE} width="${look.width}" align="center"><tr><td><![endif]-->\n` +
      `<div style="max-width:${look.width}px;margin:0 auto">\n`,
    pieces.showLogo ? logo(look) : '',
    `<table ${TABLE} width="100%" class="m-card ${look.classes.background}" bgcolor="${look.card}" ` +
      `style="table-layout:fixed;width:100%;max-width:${look.width}px;` +
      `background-color:${look.card};border-radius:8px;border-collapse:separate">\n`,
    pieces.rows,
    '</table>\n',
    ...(pieces.footer
      ? [
          `<table ${TABLE} width="100%" style="table-layout:fixed;width:100%;max-width:${look.width}px"><tr>`,
          pieces.footer,
          '</tr></table>\n',
        ]
      : []),
    '</div>\n<!--[if mso]></td></tr></table><![endif]-->\n</td></tr></table>\n</div>\n</body>\n</html>\n',
  ])
}

const TABLE = 'role="presentation" cellpadding="0" cellspacing="0" border="0"'

const META =
  '<meta charset="utf-8">\n' +
  '<meta name="viewport" content="width=device-width,initial-scale=1">\n' +
  '<meta name="x-apple-disable-message-reformatting">\n' +
  '<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">\n' +
  '<meta name="color-scheme" content="light dark">\n' +
  '<meta name="supported-color-schemes" content="light dark">\n'

const PREHEADER_START =
  '<div style="display:none;max-height:0;max-width:0;overflow:hidden;opacity:0;mso-hide:all;font-size:1px;' +
  'line-height:1px">'
/** Invisible characters that keep the beginning of the text out of the inbox preview. */
const PREHEADER_END = `${'\u034F\u200C\u00A0'.repeat(90)}</div>\n`

/** For Outlook: 96 pixels per inch, and an installed font instead of the system font. */
function outlookHead(look: Look): string {
  const font =
    look.font === SYSTEM_FONT ? "<style>table,td,p,a,h1,h2,h3,li{font-family:'Segoe UI',Arial,sans-serif}</style>" : ''
  return (
    '<!--[if mso]><noscript><xml><o:OfficeDocumentSettings><o:AllowPNG/><o:PixelsPerInch>96</o:PixelsPerInch>' +
    `</o:OfficeDocumentSettings></xml></noscript>${font}<![endif]-->\n`
  )
}

/** Rules that need a style sheet: small screens. */
function styleSheet(look: Look): string {
  return (
    'table{border-collapse:collapse;mso-table-lspace:0;mso-table-rspace:0}\n' +
    'a[x-apple-data-detectors]{color:inherit!important;text-decoration:none!important}\n' +
    `@media (max-width:${look.width + 24}px){\n.m-side{padding-left:24px!important;padding-right:24px!important}\n` +
    '.m-cols{padding-left:12px!important;padding-right:12px!important}\n.m-col{max-width:100%!important}\n' +
    '.m-frame{padding:0!important}\n.m-card{border-radius:0!important}\n' +
    '.m-h00{font-size:54px!important;line-height:60px!important}\n' +
    '.m-h0{font-size:36px!important;line-height:44px!important}\n' +
    '.m-h1{font-size:26px!important;line-height:34px!important}\n}\n'
  )
}

/**
 * Dark mode, in a style sheet of its own, because a mail program drops a whole sheet when it does not understand a
 * rule. The second part is for Outlook on the web and on phones, which marks the elements that it has inverted.
 */
function darkRules(look: Look): string {
  const { dark, dark_page } = look
  return (
    ':root{color-scheme:light dark;supported-color-schemes:light dark}\n' +
    `@media (prefers-color-scheme:dark){\n.m-page{background-color:${dark_page}!important}\n` +
    `${dark.rules({ color: '', background: '' })}}\n` +
    dark.rules({ color: '[data-ogsc] ', background: '[data-ogsb] ' })
  )
}

/** The rules of the author's imported HTML, which select only inside its blocks. */
function importedRules(look: Look): string {
  const css = look.imported.css()
  return css && `<style>\n${css}</style>\n`
}

function logo(look: Look): string {
  return (
    `<table ${TABLE} width="100%"><tr><td align="center" style="padding:4px 24px 28px">` +
    `<img src="${escapeHtml(look.brand.logo_url!)}" ` +
    `alt="${escapeHtml(look.brand.company_name || look.brand.project_name)}" height="40" style="display:inline-block;` +
    `height:40px;width:auto;max-width:100%;border:0;` +
    `font-family:${look.font};font-size:20px;font-weight:600;color:${readableOn(look.page, look.text)}"></td>` +
    `</tr></table>\n`
  )
}
