from winnow.cli.findings import Finding


def test_a_finding_without_a_fix_is_ok():
    finding = Finding("python", "3.11.9")
    assert finding.ok
    assert finding.line() == "[ok] python: 3.11.9"
    assert finding.as_dict() == {"name": "python", "ok": True, "seen": "3.11.9", "fix": None}


def test_a_fix_stands_first():
    assert Finding("memory", "1 GB", "free some").line() == "[fix: free some] memory: 1 GB"
