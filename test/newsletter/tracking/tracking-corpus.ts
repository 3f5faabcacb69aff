/**
 * What fetches the pictures and links of messages, told apart by hand: people's mail programs, the proxies that fetch
 * for them when they open a message, browsers and apps; and programs that fetch by themselves.
 */
const CHROME = (platform: string, version: number) =>
  `Mozilla/5.0 (${platform}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Safari/537.36`
const MOBILE = (platform: string, version: number) =>
  `Mozilla/5.0 (${platform}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Mobile Safari/537.36`
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'

const DESKTOPS = [
  'Windows NT 10.0; Win64; x64',
  'Windows NT 6.1; WOW64',
  'Macintosh; Intel Mac OS X 10_15_7',
  'X11; Linux x86_64',
  'X11; CrOS x86_64 14541.0.0',
]
const PHONES = [
  'Linux; Android 14; Pixel 8',
  'Linux; Android 13; SM-S911B',
  'Linux; Android 12; CUBOT NOTE 20',
  'Linux; Android 9; CUBOT_X19',
  'Linux; Android 10; K',
  'Linux; Android 11; moto g(30)',
]

export const PEOPLE: readonly string[] = [
  ...DESKTOPS.flatMap((platform) => [
    CHROME(platform, 109),
    CHROME(platform, 126),
    `${CHROME(platform, 125)} Edg/125.0.0.0`,
    `${CHROME(platform, 124)} OPR/110.0.0.0`,
  ]),
  ...PHONES.flatMap((platform) => [MOBILE(platform, 119), MOBILE(platform, 127)]),
  ...['115.0', '127.0', '102.0'].flatMap((version) =>
    DESKTOPS.map((platform) => `Mozilla/5.0 (${platform}; rv:${version}) Gecko/20100101 Firefox/${version}`),
  ),
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 ' +
    'Safari/605.1.15',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)',
  `${IPHONE} Version/17.5 Mobile/15E148 Safari/604.1`,
  `${IPHONE} Mobile/15E148`,
  `${IPHONE} CriOS/126.0.6478.35 Mobile/15E148 Safari/604.1`,
  `${IPHONE} Mobile/15E148 [FBAN/FBIOS;FBAV/470.0.0.41.111;FBDV/iPhone15,2]`,
  `${IPHONE} Mobile/15E148 Instagram 335.0.1.19.90`,
  `${IPHONE} GSA/320.0.643 Mobile/15E148 Safari/604.1`,
  'Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.6 ' +
    'Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 13; SM-A536B; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 ' +
    'Chrome/125.0.6422.147 Mobile Safari/537.36',
  'Mozilla/5.0 (Linux; Android 14; SAMSUNG SM-S918B) AppleWebKit/537.36 (KHTML, like Gecko) ' +
    'SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (X11; Linux x86_64; rv:102.0) Gecko/20100101 Thunderbird/102.15.1',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:115.0) Gecko/20100101 Thunderbird/115.12.2',
  'Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 10.0; WOW64; Trident/7.0; .NET4.0C; .NET4.0E; Microsoft ' +
    'Outlook 16.0.5134; ms-office; MSOffice 16)',
  'Mozilla/4.0 (compatible; ms-office; MSOffice 16)',
  'Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.17628; Pro)',
  'Microsoft Office/16.0 (Microsoft Outlook Mail 16.0.17628; Pro)',
  'Outlook-iOS/723.4027091.prod.iphone (4.2418.0)',
  'Outlook-Android/2.0',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 ' +
    'Safari/537.36 Teams/24124.2315.2911.3357',
  'Mozilla/5.0 (Windows NT 6.1; Trident/7.0; rv:11.0) like Gecko',
  'Mozilla/5.0 (Windows NT 10.0; WOW64) AppleWebKit/537.36 (KHTML, like Gecko) eM_Client/9.2.2157.0',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Spark/3.15.0',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Mailbird/3.0 ' +
    'Chrome/103.0.0.0 Safari/537.36',
  'Airmail 5.6 rv:669 (Macintosh; Mac OS X 14.5)',
  'Lotus-Notes/6.0; Windows-NT',
  'Mozilla/5.0 (BB10; Touch) AppleWebKit/537.10+ (KHTML, like Gecko) Version/10.0.9.2372 Mobile Safari/537.10+',
  'Opera/9.80 (Windows NT 6.1; WOW64) Presto/2.12.388 Version/12.18',
  // Proxies that fetch when somebody opens.
  'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
  'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html',
  'SeznamEmailProxy/2.0.100',
  'HTTP Fastmail image proxy (+https://www.fastmail.help/)',
]

export const MACHINES: readonly string[] = [
  'Mozilla/5.0',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/42.0.2311.135 ' +
    'Safari/537.36 Edge/12.246 Mozilla/5.0',
  '',
  '-',
  'Mozilla/5.0 (compatible)',
  'Barracuda Sentinel (EE)',
  'Mozilla/5.0 (compatible; BarracudaCentral/1.0; +http://www.barracudacentral.org/)',
  'Mozilla/5.0 (Windows NT 6.1) AppleWebKit/537.36 (KHTML, like Gecko) Mimecast URL Protect',
  'Proofpoint-URLDefense/2.0',
  'Microsoft SafeLinks Scanner',
  'Symantec Email Security.cloud Link Following',
  'TrendMicro-TMASE/1.0',
  'FireEye-ETP/1.0',
  'Sophos Time-of-Click',
  'Bitdefender GravityZone Link Scanner',
  'Kaspersky Security for Mail Server',
  'Mozilla/5.0 (compatible; VirusTotal; +https://www.virustotal.com)',
  'Mozilla/5.0 (compatible; HornetSecurity ATP)',
  'Avanan/1.0 (Check Point)',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  'Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)',
  'Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)',
  'Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)',
  'DuckDuckBot/1.1; (+http://duckduckgo.com/duckduckbot.html)',
  'Mozilla/5.0 (compatible; Applebot/0.1; +http://www.apple.com/go/applebot)',
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  'Twitterbot/1.0',
  'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)',
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'TelegramBot (like TwitterBot)',
  'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
  'WhatsApp/2.23.20.0 A',
  'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com',
  'Mozilla/5.0 (compatible; MicrosoftPreview/2.0; +https://aka.ms/MicrosoftPreview)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Google-InspectionTool/1.0)',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/120.0.6099.109 Safari/537.36',
  'Mozilla/5.0 (Unknown; Linux x86_64) AppleWebKit/538.1 (KHTML, like Gecko) PhantomJS/2.1.1 Safari/538.1',
  'curl/8.5.0',
  'Wget/1.21.4',
  'python-requests/2.31.0',
  'Python-urllib/3.11',
  'Python/3.10 aiohttp/3.8.4',
  'Go-http-client/1.1',
  'Go-http-client/2.0',
  'Java/17.0.9',
  'Apache-HttpClient/4.5.14 (Java/11.0.21)',
  'okhttp/4.12.0',
  'axios/1.6.8',
  'node-fetch/1.0 (+https://github.com/bitinn/node-fetch)',
  'libwww-perl/6.72',
  'Ruby',
  'Faraday v2.9.0',
  'GuzzleHttp/7',
  'PostmanRuntime/7.39.0',
  'Scrapy/2.11 (+https://scrapy.org)',
  'Mozilla/5.0 (compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)',
  'Mozilla/5.0 (compatible; archive.org_bot +http://archive.org/details/archive.org_bot)',
  'W3C-checklink/4.81 libwww-perl/6.15',
  'Mozilla/5.0 (compatible; Nmap Scripting Engine; https://nmap.org/book/nse.html)',
]
