/** Files that lie beside the folders of a batch's movies, in any case: a movie of such an id would have no folder. */
const reportName =
  /^(?:results|certificate|gallery|index|readme|manifest|checksums|sha256sums|campaign|batch)(?:[-.][a-z0-9.-]*)?\.[a-z0-9]+$/i;

/** Whether a row's id is the name of a report, or could become one's. */
export function isReportName(id: string): boolean {
  return reportName.test(id);
}

/** What Windows keeps for devices, also with an ending, and names that it cuts at their end. */
const deviceName = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?$/i;

/** Whether Windows has no folder of this name, so that files cannot be copied there. */
export function isUnknownToWindows(id: string): boolean {
  return deviceName.test(id) || id.endsWith('.');
}
