"""What pages and sources refer to: files, headings of pages, paths that are named."""
import os
import pathlib
import re
import urllib.parse

folders = 'apps|cmake|core|cuda_backend|docs|python|scripts|shaders|tests|vk_backend'
hash_endings = ('.cmake', '.py', '.sh', '.txt')
slash_comment = re.compile(r'//.*|/\*.*|^ \*.*')
hash_comment = re.compile(r'(?:^|\s)#.*')
source_endings = ('.c', '.cc', '.cmake', '.comp', '.cpp', '.cu', '.cuh', '.glsl', '.h', '.hpp', '.inc', '.json',
                  '.py', '.sh', '.txt')

fence = re.compile(r'^ {0,3}(```|~~~)')
code_span = re.compile(r'(?<!`)(`+)(?!`)((?:(?!\n\s*\n).)+?)(?<!`)\1(?!`)', re.DOTALL)
link = re.compile(r'!?\[[^\[\]]*\]\(\s*<?([^()\s>]+)>?(?:\s+"[^"]*")?\s*\)'  # [text](target), also around a picture
                  r'|^[ ]*\[[^\]\n]+\]:\s*(\S+)'                          # [name]: target
                  r'|\b(?:src|href|srcset)="([^"]+)"', re.MULTILINE)
named_path = re.compile(rf'(?<![\w./-])(?:{folders})/(?:[^\s`\'",;()|]*[^\s`\'",;()|.:])?')
# In strings and prose: pages, scripts and pictures, which nothing else would miss.
named_page = re.compile(r'(?<![\w./-])(?:(?:docs|scripts)/[\w./-]*\w\.(?:md|sh|py|svg|png)|(?:README|CONTRIBUTING|CHANGELOG)\.md)\b')
imagined = re.compile(r'\bSay, `(\w+)`')  # how a recipe names what is to be added


def files_below(root, endings):
    """Every file of the sources with such an ending; not what builds and tools have left there."""
    for folder, inner, names in os.walk(root):
        inner[:] = sorted(n for n in inner if not n.startswith(('.', 'build')) and n != '__pycache__')
        for name in sorted(names):
            if name.endswith(endings):
                yield pathlib.Path(folder, name)


def blank(text):
    """As long as the text, with its lines."""
    return re.sub(r'[^\n]', ' ', text)


def parts_of(text):
    """The page's prose and its code, each with blanks in the other's place."""
    prose, code = [], []
    inside = None  # the fence of a block of code
    for line in text.splitlines(keepends=True):
        mark = fence.match(line)
        is_mark = bool(mark) and inside in (None, mark[1])
        prose.append(blank(line) if inside or is_mark else line)
        code.append(line if inside and not is_mark else blank(line))
        if is_mark:
            inside = None if inside else mark[1]
    prose, code = ''.join(prose), ''.join(code)
    for span in code_span.finditer(prose):
        code = code[:span.start(2)] + span[2] + code[span.end(2):]
    return code_span.sub(lambda span: blank(span[0]), prose), code


def line_of(text, match):
    return text.count('\n', 0, match.start()) + 1


def anchors_of(page):
    """What the page's headings are linked by."""
    found, seen = set(), {}
    inside = False
    for line in page.read_text(encoding='utf-8').splitlines():
        if fence.match(line):
            inside = not inside
        heading = re.match(r' {0,3}#{1,6}\s+(.*?)\s*#*$', line)
        if inside or not heading:
            continue
        text = re.sub(r'!?\[([^\]]*)\]\([^)]*\)', r'\1', heading[1])
        anchor = re.sub(r'[^\w\- ]', '', text.lower()).replace(' ', '-')
        again = seen.setdefault(anchor, 0)
        seen[anchor] += 1
        found.add(f'{anchor}-{again}' if again else anchor)
    return found


def broken_link(root, page, target):
    """Why a link of the page leads nowhere, or None."""
    if re.match(r'[a-z][a-z0-9+.-]*:', target):
        return None  # elsewhere
    path, _, anchor = urllib.parse.unquote(target).partition('#')
    aim = (page.parent / path).resolve() if path else page.resolve()
    if not aim.is_relative_to(root.resolve()):
        return 'leads out of the sources'
    if not aim.exists():
        return 'leads to no file'
    if anchor and (aim.suffix != '.md' or anchor not in anchors_of(aim)):
        return f'leads to no heading of {aim.relative_to(root.resolve())}'
    return None


def missing_path(root, path, to_be_added=()):
    """Why a path named in code is none, or None. <name> and * stand for any name."""
    pattern = re.sub(r'<[^>]*>|…', '*', path)
    names = pattern.split('/')
    for added in to_be_added:
        if any(added in name for name in names):
            if list(root.glob(pattern)):
                return f'is said to be added ("Say, `{added}`"), and is there'
            pattern = '/'.join(names[:-1])
    if re.search(r'[\[\]{}$]', pattern):
        return None  # a shell's way to say several
    return None if pattern == '' or list(root.glob(pattern)) else 'is no file or folder'


def links_of(prose):
    """(line, target) of every link, and the prose without them."""
    links = []
    found = list(link.finditer(prose))
    while found:
        links += [(line_of(prose, match), match[1] or match[2] or match[3]) for match in found]
        # A picture may be what is clicked: without it the link around it is seen.
        prose = link.sub(lambda match: blank(match[0]), prose)
        found = list(link.finditer(prose))
    return sorted(links), prose


def faults_of_page(root, page):
    """(line, what, why) of every reference of a page that leads nowhere."""
    text = page.read_text(encoding='utf-8')
    to_be_added = imagined.findall(text)
    prose, code = parts_of(text)
    links, prose = links_of(prose)
    for line, target in links:
        why = broken_link(root, page, target)
        if why:
            yield line, target, why
    for path in named_path.finditer(code):
        why = missing_path(root, path[0], to_be_added)
        if why:
            yield line_of(code, path), path[0], why
    for path in named_page.finditer(prose):
        if not (root / path[0]).exists():
            yield line_of(prose, path), path[0], 'is no file'


def faults_of_source(root, source):
    """The same of a source: of the paths in its comments, and of pages, scripts and pictures wherever it names them."""
    comment = hash_comment if source.suffix in hash_endings else slash_comment
    for number, line in enumerate(source.read_text(encoding='utf-8', errors='replace').splitlines(), 1):
        told = comment.search(line)
        for path in named_path.findall(told[0]) if told else ():
            why = missing_path(root, path)
            if why:
                yield number, path, why
        for path in named_page.findall(line if not told else line[:told.start()]):
            if not (root / path).exists() and not (source.parent / path).exists():
                yield number, path, 'is no file'


def faults_of(root):
    for page in files_below(root, '.md'):
        for fault in faults_of_page(root, page):
            yield page.relative_to(root), *fault
    for source in files_below(root, source_endings):
        if 'docs' not in source.relative_to(root).parts[:2]:  # these tests have broken ones
            for fault in faults_of_source(root, source):
                yield source.relative_to(root), *fault
