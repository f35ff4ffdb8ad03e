import type { NoticeChannel } from './notice-channel.js';
import { createPoster } from './post.js';

/** Sends to an incoming webhook of Slack or a compatible chat (Mattermost, Rocket.Chat, Discord at /slack). */
export function chatChannel(url: string): NoticeChannel {
  const poster = createPoster(url);
  return {
    ...{ name: 'chat', isEndpoint: true },
    send({ subject, lines, url: link }) {
      const head = `*${escaped(subject)}*`;
      const more = link === null ? [] : [`<${escaped(link)}|Open at the desk>`];
      const text = [head, ...lines.map(escaped), ...more].join('\n');
      const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: text.slice(0, 3_000) } }];
      return poster.post(JSON.stringify({ text: escaped(subject), blocks }), { 'Content-Type': 'application/json' });
    },
    close: poster.close,
  };
}

/** Escapes the three special characters of Slack's markup. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
