/** How to get a sheet out of a program that keeps it in its own format. */
const fromGoogle = 'in Google Sheets: File > Download > Microsoft Excel (.xlsx) or .csv';
const fromNumbers = 'in Numbers: File > Export To > Excel or CSV';
const saveAs = 'open it in a spreadsheet and save it as .xlsx or CSV';

/** What to do about an address given instead of a file; null when it is not an address. */
export function foreignAddress(name: string): string | null {
  if (!/^(?:https?|webcal|ftp):\/\//i.test(name)) return null;
  if (/^https?:\/\/(?:docs|drive)\.google\.com\//i.test(name)) {
    return `it is the address of a Google Sheet, not a file; ${fromGoogle}, and name that file`;
  }
  return 'it is an address, not a file; download the sheet as .xlsx or CSV and name that file';
}

/** What to do about a folder that a Mac shows as one file; null for any other. */
export function foreignFolder(name: string): string | null {
  return /\.numbers\/?$/i.test(name) ? `it is a Numbers document; ${fromNumbers}` : null;
}

/**
 * What to do about a text that is named like a sheet but is something else: a web page, a link, a sheet in an older
 * XML format. Null for what may be a manifest.
 */
export function foreignText(head: string, name: string): string | null {
  const text = head.replace(/^\ufeff/, '').trimStart();
  if (text.startsWith('<')) return foreignMarkup(text, name);
  const isLink = /^\[InternetShortcut\]/i.test(text) || /\.(?:gsheet|url|webloc)$/i.test(name);
  if (!isLink) return null;
  const isGoogle = /\.gsheet$/i.test(name) || /docs\.google\.com\/spreadsheets/i.test(text);
  return isGoogle
    ? `it is a link to a Google Sheet, not the sheet; ${fromGoogle}`
    : 'it is a link, not a sheet; open it and download the sheet as .xlsx or CSV';
}

function foreignMarkup(text: string, name: string): string | null {
  if (/<(?:\w+:)?Workbook[\s>]/.test(text) || text.includes('progid="Excel.Sheet"')) {
    return `it is an XML spreadsheet of Excel 2003; ${saveAs}`;
  }
  if (/<office:document[\s>]/.test(text)) return `it is a flat OpenDocument sheet; ${saveAs}`;
  if (!/<(?:!doctype\s+html|html|head|body|table|meta|div)[\s>]/i.test(text)) return null;
  if (/accounts\.google\.com|ServiceLogin|<title>[^<]*(?:sign in|log ?in|anmelden)/i.test(text)) {
    return 'it is a sign-in page, not the sheet; sign in and download it as .xlsx or CSV';
  }
  const called = /\.(xlsx?|csv|tsv)$/i.exec(name)?.[0].toLowerCase();
  return `it is a web page${called ? ` called ${called}` : ''}, as some sites export tables; ${saveAs}`;
}

/** What to do about an archive that is not an XML workbook; null for any other. */
export function foreignPackage(parts: readonly string[]): string | null {
  const has = (pattern: RegExp) => parts.some((name) => pattern.test(name));
  if (has(/^Index\/(?:Document|Tables\/)|^Index\.zip$|^index\.apxl$|\.iwa$/i))
    return `it is a Numbers document; ${fromNumbers}`;
  if (has(/^xl\/workbook\.bin$/i)) return `it is a binary workbook (.xlsb); save it as .xlsx`;
  if (has(/^word\//i)) return 'it is a Word document; copy its table into a spreadsheet and save it as .xlsx or CSV';
  if (has(/^ppt\//i)) return 'it is a presentation; copy its table into a spreadsheet and save it as .xlsx or CSV';
  if (has(/\.(?:csv|xlsx|ya?ml|tsv)$/i)) return 'it is an archive with files in it; unpack it and name the sheet';
  return null;
}
