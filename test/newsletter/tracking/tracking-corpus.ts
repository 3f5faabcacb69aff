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
  'Mozilla',
  'Mozilla/4.0 (compatible;)',
  'Mozilla/5.0 (compatible)',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64)',
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
  'URLDefense/2.0',
  'Microsoft SafeLinks',
  'Proofpoint/1.0',
  'IronPort-Email-Security',
  'MessageLabs Link Following',
  'Forcepoint Email Security',
  'Websense TRITON',
  'MailControl/1.0',
  'retarus Email Security',
  'SpamExperts/1.0',
  'MailGuard/3',
  'Zscaler Cloud',
  'CheckPoint Harmony',
  'IRONSCALES',
  'VadeSecure/1.0',
  'Vade Retro',
  'vade-retro',
  'Bitdefender GravityZone',
  'urlscan.io',
  'PhishTank',
  'Spamhaus',
  'Cloudmark/1.0',
  'rspamd-3.8',
  'SpamAssassin/4.0.0',
  'Google Safe-Browsing',
  'GoogleSafeBrowsing',
  'Mozilla/5.0 (Windows NT 6.1; WOW64) BingPreview/1.0b',
  'FeedFetcher-Google; (+http://www.google.com/feedfetcher.html)',
  'Embedly/0.2',
  'Quora Link Preview/1.0',
  'Iframely/1.3',
  'vkShare; (+http://vk.com/dev/Share)',
  'Pinterest/0.2',
  'Snap URL Preview Service',
  'Mozilla/5.0 (compatible; Yahoo! Slurp)',
  'Mediapartners-Google',
  'Google-Read-Aloud',
  'Mozilla/5.0 (Macintosh) Chrome-Lighthouse',
  'SlimerJS/1.0',
  'selenium/4.20',
  'puppeteer/22.0',
  'Playwright/1.44',
  'electron-fetch/1.9',
  'aiohttp/3.9',
  'httpx/0.27',
  'Jakarta Commons-HttpClient/3.1',
  'LWP::Simple/6.00',
  'Perl/5.38',
  'PHP/8.3',
  'got (https://github.com/sindresorhus/got)',
  'superagent/8.1',
  'WinHttpRequest',
  'WindowsPowerShell/5.1',
  'Dart/3.4 (dart:io)',
  'RestSharp/110.2',
  'insomnia/9.2',
  'HTTrack 3.0x',
  'HTTP_Request2/2.5',
  'URLGrabber/3.10',
  'Nutch/1.20',
  'heritrix/3.4',
  'zgrab/0.x',
  'masscan/1.3',
  'Nikto/2.5',
  'CensysInspect/1.1',
  'Shodan',
  'crawler4j/4.4',
  'Acunetix Web Vulnerability Scanner',
  'Virus Scan/2',
  'LinkCheck/1.0',
  'Xenu Link Check',
  'UrlCheck/1.0',
  'W3C_Validator/1.3',
  'Site Monitor/1.0',
  'StatusMonitoring',
  'Prefetch/1.0',
  'ia_archiver',
  'Feed Fetcher/1',
]

/** First and last address of each network that the operators of mail gateways publish, in IPv4. */
export const GATEWAYS: readonly string[] = (
  '64.235.144.0-64.235.159.255 209.222.80.0-209.222.87.255 41.74.192.0-41.74.207.255 51.163.158.0-51.163.159.255 ' +
  '63.128.21.0-63.128.21.255 91.220.42.0-91.220.42.255 94.185.240.0-94.185.240.255 94.185.244.0-94.185.244.255 ' +
  '103.96.20.0-103.96.23.255 124.47.150.0-124.47.150.255 124.47.189.0-124.47.189.255 146.101.78.0-146.101.78.255 ' +
  '170.10.128.0-170.10.135.255 180.189.28.0-180.189.28.255 185.58.84.0-185.58.87.255 195.130.217.0-195.130.217.255 ' +
  '205.139.110.0-205.139.111.255 207.82.80.0-207.82.80.255 207.211.31.0-207.211.31.255 216.205.24.0-216.205.24.255 ' +
  '62.209.50.0-62.209.51.255 66.159.224.0-66.159.255.255 67.231.144.0-67.231.159.255 91.207.212.0-91.207.213.255 ' +
  '91.209.104.0-91.209.104.255 148.163.128.0-148.163.159.255 185.132.180.0-185.132.183.255 ' +
  '185.183.28.0-185.183.31.255 205.220.160.0-205.220.191.255 208.86.200.0-208.86.203.255 40.92.0.0-40.94.255.255 ' +
  '40.107.0.0-40.107.255.255 52.100.0.0-52.103.255.255 104.47.0.0-104.47.127.255 ' +
  '68.232.128.0-68.232.159.255 184.94.240.0-184.94.255.255 207.54.64.0-207.54.95.255 216.71.128.0-216.71.159.255 ' +
  '46.226.48.0-46.226.55.255 67.219.240.0-67.219.255.255 85.158.136.0-85.158.143.255 95.131.104.0-95.131.111.255 ' +
  '103.9.96.0-103.9.99.255 117.120.16.0-117.120.23.255 193.109.254.0-193.109.255.255 194.106.220.0-194.106.221.255 ' +
  '195.245.230.0-195.245.231.255 216.82.240.0-216.82.255.255 150.70.0.0-150.70.255.255 94.100.128.0-94.100.143.255 ' +
  '185.140.204.0-185.140.207.255'
).split(' ')
